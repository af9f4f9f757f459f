// wrong: undefined-behaviour: the format needs an integer or a pointer as argument 3, which is missing
#include <stdio.h>

int main(void)
{
    const char *format = "%d of %d\n";
    printf(format, 1);
    return 0;
}

// wrong: undefined-behaviour: the format needs a `double` as argument 2, which is none
#include <stdio.h>

int main(void)
{
    const char *format = "%f\n";
    printf(format, 1);
    return 0;
}

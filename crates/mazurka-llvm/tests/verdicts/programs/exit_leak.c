// wrong: leak: the memory allocated at
// with: leaks
#include <stdlib.h>

static void lose(void) { (void)*(volatile char *)calloc(8, 1); }

int main(void)
{
    lose();
    exit(0);
}

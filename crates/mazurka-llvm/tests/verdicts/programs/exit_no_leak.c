// correct
// with: leaks
// A variable of a function that has not returned leads to the memory.
#include <stdlib.h>

static char *kept;

static void clean(void) { free(kept); }

static void leave(char **more)
{
    char *own = malloc(4);
    exit(!own || !*more);
}

int main(void)
{
    char *pointer = malloc(8), *more = malloc(8);
    kept = malloc(8);
    atexit(clean);
    if (pointer)
        leave(&more);
    return 1;
}

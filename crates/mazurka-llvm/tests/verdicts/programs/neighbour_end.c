// correct
#include <stdlib.h>

/* The end of an array may be computed, and an array at the end may be longer than declared. */
struct pair {
    int a[4];
    int b[1];
};

int main(void) {
    struct pair *pair = calloc(1, sizeof *pair + 12);
    int sum = 0, n = 4;
    for (int *p = pair->a; p != &pair->a[n]; p++) sum += *p;
    for (int i = 0; i < 4; i++) sum += pair->b[i];
    free(pair);
    return sum;
}

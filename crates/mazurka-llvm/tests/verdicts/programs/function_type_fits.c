// correct
// with: leaks
// Calls without a prototype, of variadic functions, and of the library through pointers.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct big { long words[5]; };
struct pair { long first, second; };

static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int classic();

static struct pair split(struct big big) { return (struct pair){big.words[0], big.words[4]}; }

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    int (*variadic)(int, ...) = sum;
    assert(variadic(0) == 0 && variadic(2, 3, 4) == 7);
    int (*unprototyped)() = classic;
    assert(unprototyped(1, 2L) == 3 && classic(1, 2L) == 3);
    struct pair (*by_value)(struct big) = split;
    assert(by_value((struct big){{1, 2, 3, 4, 5}}).second == 5);
    void *(*allocate)(size_t) = malloc;
    void (*release)(void *) = free;
    release(allocate(8));
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof numbers[0], order);
    return numbers[0] - 1;
}

int classic(a, b) int a; long b; { return a + b; }

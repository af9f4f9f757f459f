// correct
#include <assert.h>
#include <limits.h>

int main(void) {
    unsigned u = UINT_MAX;
    u++;
    assert(u == 0);
    int i = INT_MAX - 1;
    i++;
    assert(i == INT_MAX && -INT_MAX - 1 == INT_MIN);
    short s = SHRT_MAX;
    s++;
    assert(s == SHRT_MIN);
    long l = LONG_MAX;
    l -= LONG_MAX;
    assert(l == 0 && 1 << 30 == 1073741824);
}

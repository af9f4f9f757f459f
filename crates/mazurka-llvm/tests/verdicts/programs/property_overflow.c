// correct
// with: property=G!overflow
// mistake: undefined-behaviour: signed integer overflow
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    int n = INT_MAX;
    unsigned m = UINT_MAX;
    m++;
#ifdef MISTAKE
    n++;
#endif
    assert(m == 1);
}

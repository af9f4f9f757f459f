// correct
// with: property=Gvalid-deref
// mistake: invalid-memory
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
#ifdef MISTAKE
    free(p);
#endif
    assert(*p == 2);
    free(p);
}

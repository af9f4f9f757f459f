// correct
// with: property=Gvalid-memtrack
// mistake: leak
#include <stdlib.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
#ifdef MISTAKE
    kept = NULL;
#endif
}

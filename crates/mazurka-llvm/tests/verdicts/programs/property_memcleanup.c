// wrong: leak
// with: property=Gvalid-memcleanup
#include <stdlib.h>

static int *kept;

int main(void) { kept = malloc(sizeof *kept); }

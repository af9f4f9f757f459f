// wrong: unsupported: the program has allocated more than 1024 MiB of memory
#include <stdlib.h>

int main(void) {
    for (;;) malloc(1000000);
}

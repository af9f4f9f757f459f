// wrong: undefined-behaviour: signed integer overflow: 2147483647 + 1 does not fit into 32 bits
#include <limits.h>

int main(void) {
    int i = INT_MAX;
    i++;
    return i == 0;
}

// wrong: undefined-behaviour: what is printed depends on
#include <stdio.h>

int main(void) {
    int x;
    printf("%d\n", x);
}

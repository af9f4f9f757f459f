// wrong: undefined-behaviour: `longjmp` goes to a function that has returned
#include <setjmp.h>

static jmp_buf out;

static int set(void) { return setjmp(out); }

int main(void) {
    if (set() == 0) longjmp(out, 1);
}

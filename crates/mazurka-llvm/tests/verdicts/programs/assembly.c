// correct
#include <assert.h>

/* Inline assembly beyond what libraries of `tests/verdicts/libraries` use. */
int main(void) {
    unsigned value = 0x00F0, bit, count = 3;
    __asm__("bsrl %1, %0" : "=r"(bit) : "rm"(value) : "cc");
    assert(bit == 7);
    __asm__("bsfl %1, %0" : "=r"(bit) : "r"(value) : "cc");
    assert(bit == 4);
    unsigned char is_zero;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(count), "=q"(is_zero) : : "memory", "cc");
    assert(count == 2 && !is_zero);
    __asm__ volatile("lock; addl $0,0(%%rsp)" : : : "memory");
    __asm__ volatile("" : "+r"(count));
    unsigned long old = 5, word = 5;
    __asm__ volatile("lock; cmpxchgq %2, %1" : "+a"(old), "+m"(word) : "r"(9ul) : "memory", "cc");
    assert(old == 5 && word == 9);
    __asm__ volatile("xchgq %0, %1" : "+r"(old), "+m"(word) : : "memory");
    assert(old == 9 && word == 5);
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    assert(((unsigned long)high << 32 | low) == __builtin_readcyclecounter());
}

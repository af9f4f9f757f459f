// correct
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Copies of what was never written are fine, and so are bit-fields beside it. */
struct fields {
    unsigned a : 3;
    unsigned b : 5;
    int rest;
    long tail;
};

struct wide {
    unsigned long flag : 1;
    unsigned long rest : 63;
};

int main(void) {
    struct fields one, two;
    one.a = 5;
    one.b = 17;
    two = one;
    int rest = two.rest;
    one.rest = rest;
    long tail = one.tail;
    two.tail = tail;
    assert(two.a == 5 && two.b == 17);
    struct wide *wide = malloc(sizeof *wide);
    wide->flag = 1;
    assert(wide->flag);
    free(wide);
    /* The value that new memory has may also be written. */
    unsigned char bytes[16];
    memset(bytes, 0xC5, sizeof bytes);
    for (int i = 0; i < 16; i++) assert(bytes[i] == 0xC5);
    unsigned char copies[16];
    memcpy(copies, bytes, sizeof copies);
    for (int i = 0; i < 16; i++) assert(copies[i] == 0xC5);
    unsigned word;
    memcpy(&word, bytes, sizeof word);
    assert(word == 0xC5C5C5C5);
    unsigned long whole;
    memcpy(&whole, bytes, sizeof whole);
    assert(whole + 1 == 0xC5C5C5C5C5C5C5C6);
    char letter = (char)0xC5, other = letter;
    assert(other == (char)0xC5);
}

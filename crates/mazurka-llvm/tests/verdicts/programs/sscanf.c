// correct
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int a = 0, n = 0;
    long b = 0;
    unsigned c = 0;
    short d = 0;
    double e = 0;
    float f = 0;
    char word[16], set[16], letter = 0;
    assert(sscanf(" 12 -34 ff", "%d%ld %x", &a, &b, &c) == 3);
    assert(a == 12 && b == -34 && c == 255);
    assert(sscanf("0x1f 077", "%i %hi", &a, &d) == 2 && a == 31 && d == 63);
    assert(sscanf("2.5e2xyz -.5", "%lf%3s%f", &e, word, &f) == 3);
    assert(e == 250 && f == -0.5f && strcmp(word, "xyz") == 0);
    assert(sscanf("key=value;", "%[^=]=%[a-z]%c%n", set, word, &letter, &n) == 3);
    assert(strcmp(set, "key") == 0 && strcmp(word, "value") == 0 && letter == ';' && n == 10);
    assert(sscanf("7 8", "%*d %d", &a) == 1 && a == 8);
    assert(sscanf("100%", "%2d%d%%", &a, &n) == 2 && a == 10 && n == 0);
    assert(sscanf("", "%d", &a) == EOF);
    assert(sscanf("x", "%d", &a) == 0);
}

// wrong: undefined-behaviour: `memcpy` copies 4 bytes to memory that overlaps their source
#include <string.h>

int main(void) {
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 4);
}

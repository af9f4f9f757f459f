// wrong: undefined-behaviour: a string of 3 bytes is copied to memory that overlaps it
#include <string.h>

int main() {
  char text[8] = "abc";
  strcpy(text + 1, text);
}

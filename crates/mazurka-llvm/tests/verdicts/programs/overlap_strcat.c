// wrong: undefined-behaviour: a string of 3 bytes is copied to memory that overlaps it
#include <string.h>

int main() {
  char text[16] = "abc";
  strcat(text, text);
}

// wrong: undefined-behaviour: the length of a string depends on `text[3]`, which was never written
#include <string.h>

int main() {
  char text[8];
  text[7] = 0;
  memcpy(text, "abc", 3);
  return strlen(text);
}

// wrong: undefined-behaviour: a string of 3 bytes is copied to memory that overlaps it
#include <stdio.h>

int main() {
  char text[16] = "abc";
  sprintf(text, "%s-%d", text, 1);
}

// correct
// Strings that are copied within an array, but to another part of it.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main() {
  char text[32] = "abcdefg";
  sprintf(text + 8, "%s", text);
  assert(!strcmp(text + 8, "abcdefg"));
  sprintf(text + 4, "%.4s", text);
  assert(!strcmp(text, "abcdabcd"));
  strncpy(text + 4, text, 4);
  snprintf(text, 0, "%s", text);
  strncat(text, "xyz", 2);
  assert(!strcmp(text, "abcdabcdxy"));
  memmove(text + 1, text, 4);
}

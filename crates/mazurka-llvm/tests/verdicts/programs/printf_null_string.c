// wrong: undefined-behaviour: the format prints a string (`%s`), but its argument is a null pointer
#include <stdio.h>

int main(void) {
  const char *name = NULL;
  printf("%s\n", name);
}

// wrong: undefined-behaviour: what is printed depends on
#include <unistd.h>

int main() {
  int number;
  write(1, &number, sizeof number);
}

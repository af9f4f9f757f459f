// wrong: undefined-behaviour: signed integer overflow: an absolute value does not fit
#include <limits.h>
#include <stdlib.h>

int main() {
  volatile int least = INT_MIN;
  return abs(least) == 1;
}

// correct
#include <assert.h>
#include <unistd.h>

int main(void) {
  assert(optind == 1 && optarg == 0);
  return 0;
}

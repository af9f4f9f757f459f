// correct
// with: spurious
#define WAIT while
#include "../wait_until_ready.h"

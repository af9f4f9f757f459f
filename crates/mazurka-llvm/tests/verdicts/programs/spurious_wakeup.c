// wrong: assertion: assertion `ready` failed
// with: spurious
#define WAIT if
#include "../wait_until_ready.h"

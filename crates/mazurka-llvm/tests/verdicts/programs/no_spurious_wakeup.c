// correct
#define WAIT if
#include "../wait_until_ready.h"

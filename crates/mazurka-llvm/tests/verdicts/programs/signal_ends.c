// wrong: abort: the program is ended by SIGTERM
#include <signal.h>

int main(void) { raise(SIGTERM); }

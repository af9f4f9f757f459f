// wrong: undefined-behaviour: `pthread_setspecific` is called with a key that was never created
#include <pthread.h>

static pthread_key_t key;

int main() { pthread_setspecific(key, &key); }

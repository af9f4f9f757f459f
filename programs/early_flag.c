// One thread stores a flag, then writes plain memory; another reads that if it loads the flag. Main joins
// both.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int ready;
const char *text = "";

static void *writer(void *arg) {
    ready = 1;
    text = "hello";
    return arg;
}

static void *reader(void *arg) {
    const char *seen = "";
    if (ready)
        seen = text;
    return seen[0] ? NULL : arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}

// correct
//
// mistake: deadlock
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *add(void *unused) {
    uint64_t one = 1;
    assert(write(event, &one, 8) == 8);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    uint64_t sum = 0, part;
    event = eventfd(0, 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
    while (sum < 2) {
        assert(read(event, &part, sizeof part) == 8);
        assert(part == 1 || part == 2);
        sum += part;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
#ifdef MISTAKE
    read(event, &part, sizeof part);
#endif
    close(event);
}

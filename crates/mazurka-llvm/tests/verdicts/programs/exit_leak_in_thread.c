// wrong: leak: the memory allocated at
// with: leaks
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *argument)
{
    char *lost = malloc(8);
    lost = 0;
    exit(0);
    return lost;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    pthread_join(other, 0);
    return 0;
}

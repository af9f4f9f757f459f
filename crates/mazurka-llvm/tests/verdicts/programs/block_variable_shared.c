// wrong: invalid-memory: `inner` is used after the end of its lifetime
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) shared;

static void *reader(void *argument)
{
    int *pointer = shared;
    return pointer && *pointer != 3 ? pointer : 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    {
        int inner = 3;
        shared = &inner;
        shared = (int *)0;
    }
    pthread_join(thread, 0);
    return 0;
}

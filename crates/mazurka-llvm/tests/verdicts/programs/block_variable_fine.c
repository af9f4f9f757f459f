// correct
// Locks with a node in a block, loops that wait with variables of their own, and jumps over blocks.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
};

_Atomic(struct node *) tail;
atomic_int spin, ready;
int count, more;

static void work(void)
{
    {
        struct node node = {0, 1};
        struct node *before = atomic_exchange(&tail, &node);
        if (before) {
            before->next = &node;
            while (node.locked) {
            }
        }
        count++;
        struct node *expected = &node;
        if (!atomic_compare_exchange_strong(&tail, &expected, 0)) {
            while (!node.next) {
            }
            node.next->locked = 0;
        }
    }
    for (;;) {
        int expected = 0;
        if (atomic_compare_exchange_strong(&spin, &expected, 1))
            break;
    }
    more++;
    spin = 0;
}

static void *thread(void *argument)
{
    work();
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    work();
    while (!ready) {
        struct sched_param unused = {1};
        sched_yield();
        (void)unused;
    }
    pthread_join(other, 0);
    assert(count == 2 && more == 2);
    jmp_buf back;
    volatile int times = 0;
    setjmp(back);
    {
        int inner[2] = {times, 1};
        int *pointer = inner;
        if (++times < 3)
            longjmp(back, 1);
        assert(pointer[0] == 2);
    }
    return 0;
}

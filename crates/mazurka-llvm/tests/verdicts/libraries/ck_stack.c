// correct
// with: needs=ck_stack.h races
// mistake: data-race
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

/* Two threads push, and each pops an entry: all entries are different. */
static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void *run(void *entry) {
    ck_stack_push_mpmc(&stack, entry);
#ifdef MISTAKE
    return ck_stack_pop_npsc(&stack);
#else
    return ck_stack_pop_mpmc(&stack);
#endif
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, &entries[0]);
    void *mine = run(&entries[1]), *other;
    pthread_join(thread, &other);
    assert(mine != NULL && other != NULL && mine != other);
    assert(CK_STACK_ISEMPTY(&stack));
}

// correct
// with: needs=ck_pr.h
// mistake: assertion
#include <assert.h>
#include <ck_pr.h>
#include <pthread.h>

/* Every kind of operation of `ck_pr`, by two threads. */
static uint64_t word;
static uint32_t half;
static uint16_t quarter;
static uint8_t byte;
static int sum, flags;

static void *run(void *unused) {
    ck_pr_inc_64(&word);
    ck_pr_add_32(&half, 3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    bool is_zero;
    ck_pr_store_16(&quarter, 0xF0F0);
    ck_pr_and_16(&quarter, 0xFF00);
    ck_pr_or_16(&quarter, 0x0001);
    ck_pr_xor_16(&quarter, 0x0011);
    assert(ck_pr_load_16(&quarter) == 0xF010);
    ck_pr_not_8(&byte);
    assert(ck_pr_load_8(&byte) == 0xFF);
    ck_pr_inc_8_zero(&byte, &is_zero);
    assert(is_zero && byte == 0);
    ck_pr_neg_int(&sum);
    assert(ck_pr_faa_int(&sum, 5) == 0 && ck_pr_fas_int(&sum, 7) == 5 && sum == 7);
    assert(!ck_pr_cas_int(&sum, 6, 9) && ck_pr_cas_int(&sum, 7, 9) && sum == 9);
    int before;
    assert(!ck_pr_cas_int_value(&sum, 1, 2, &before) && before == 9);
    assert(!ck_pr_bts_int(&flags, 3) && ck_pr_bts_int(&flags, 3) && flags == 8);
    assert(ck_pr_btr_int(&flags, 3) && flags == 0 && !ck_pr_btc_int(&flags, 0) && flags == 1);
    pthread_create(&thread, NULL, run, NULL);
    ck_pr_inc_64(&word);
#ifdef MISTAKE
    ck_pr_store_32(&half, ck_pr_load_32(&half) + 3);
#else
    ck_pr_add_32(&half, 3);
#endif
    ck_pr_stall();
    pthread_join(thread, NULL);
    ck_pr_fence_memory();
    assert(word == 2 && half == 6);
}

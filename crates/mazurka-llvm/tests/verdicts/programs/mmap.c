// correct
//
// mistake: invalid-memory
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

int main(void) {
    int *page = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED && page[1023] == 0);
    page[1023] = 1;
    assert(mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
    assert(munmap(page, 100) == 0);
#ifdef MISTAKE
    page[0] = 1;
#endif
    struct rlimit limit;
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 2);
}

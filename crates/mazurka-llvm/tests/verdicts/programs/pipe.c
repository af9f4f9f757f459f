// correct
//
// mistake: deadlock
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
static int data;

static void *writer(void *unused) {
    data = 7; // the pipe orders this with the reader
    assert(write(ends[1], "hello", 5) == 5);
#ifndef MISTAKE
    assert(close(ends[1]) == 0);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    char text[8];
    assert(pipe(ends) == 0 && ends[0] == 3 && ends[1] == 4);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    assert(read(ends[0], text, 8) == -1 && errno == EAGAIN);
    fcntl(ends[0], F_SETFL, 0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(ends[0], text, 2) == 2);
    assert(data == 7);
    assert(read(ends[0], text + 2, 6) == 3 && memcmp(text, "hello", 5) == 0);
    assert(read(ends[0], text, 8) == 0); // the end
    pthread_join(thread, NULL);
    assert(close(ends[0]) == 0);
    assert(read(ends[0], text, 8) == -1 && errno == EBADF);
}

// wrong: lock-misuse: a semaphore is waited for that was never initialised
#include <semaphore.h>

int main() {
  sem_t semaphore;
  sem_wait(&semaphore);
}

// correct
// An assignment to a bit-field keeps its neighbours, which were never written.
#include <assert.h>
#include <stdlib.h>

struct flags {
  unsigned kind : 3, mode : 5;
  int rest : 20;
};

int main() {
  struct flags local, *heap = malloc(sizeof *heap);
  local.kind = 5;
  heap->mode = 9;
  heap->kind = local.kind;
  heap->rest = -3;
  assert(heap->kind == 5 && heap->mode == 9 && heap->rest == -3);
  unsigned unknown;
  assert((unknown & 0) == 0);
  unsigned char word[4];
  word[0] = 1;
  word[0] |= 2;
  assert((word[0] & 3) == 3);
  free(heap);
}

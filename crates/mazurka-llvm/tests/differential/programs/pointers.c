#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next, *previous; int value; };
static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static int *rows[3] = {matrix[2], matrix[0], &matrix[1][1]};
static const char *const words[] = {"zero", "one", "two", NULL};
static int **indirect = &rows[1];
static void *self = &self;

static struct node *push(struct node *head, int value) {
  struct node *new = malloc(sizeof *new);
  new->value = value;
  new->next = head;
  new->previous = NULL;
  if (head)
    head->previous = new;
  return new;
}

static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int sum(int (*m)[4], int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int *p = m[i]; p < m[i] + 4; p++)
      s += *p;
  return s;
}
static void triple(int ***p) { ***p *= 3; }

int main(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      printf("%d ", rows[i][j]);
  printf("%d %d %d\n", **indirect, *(*(matrix + 1) + 2), (int)(rows[2] - rows[1]));
  triple(&indirect);
  printf("%d %d\n", matrix[0][0], self == &self);
  swap(&matrix[0][1], &matrix[2][3]);
  printf("%d %d %d\n", matrix[0][1], matrix[2][3], sum(matrix, 3));
  for (const char *const *w = words; *w; w++)
    printf("%s:%c%c ", *w, **w, (*w)[1]);
  printf("%ld\n", (long)(sizeof words / sizeof *words));
  struct node *list = NULL;
  for (int i = 0; i < 5; i++)
    list = push(list, i * i);
  list = reverse(list);
  for (struct node *n = list; n; n = n->next)
    printf("%d ", n->value);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  char buffer[16];
  int value = 0x01020304;
  memcpy(buffer + 1, &value, 4);
  printf("%d %d %d\n", buffer[1], buffer[4], *(int *)(buffer + 1));
  char *end = buffer + sizeof buffer, *begin = buffer;
  printf("%ld %d %d\n", (long)(end - begin), end > begin, begin + 16 == end);
  uintptr_t bits = (uintptr_t)begin;
  bits += 3;
  printf("%d\n", (char *)bits - begin == 3);
  int *heap = calloc(10, sizeof(int));
  for (int i = 0; i < 10; i++)
    heap[i] += i;
  heap = realloc(heap, 20 * sizeof(int));
  heap[19] = 5;
  printf("%d %d\n", heap[9], heap[19]);
  free(heap);
  int n = 4;
  int vla[n][n + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++)
      vla[i][j] = i * j;
  printf("%d %lu\n", vla[3][4], sizeof vla);
  int local[] = {[3] = 7, [1] = 5, 6};
  printf("%d %d %d %lu\n", local[0], local[2], local[3], sizeof local / sizeof *local);
  void (*unused)(int *, int *) = swap;
  unused(&local[1], &local[3]);
  printf("%d %d %d\n", local[1], !unused, 2[local]);
  return 0;
}

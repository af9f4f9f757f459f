#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[12]; int age; };
static int calls;
static int by_number(const void *a, const void *b) { calls++; int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_age(const void *a, const void *b) { return ((const struct person *)a)->age - ((const struct person *)b)->age; }
static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  int numbers[50];
  unsigned seed = 7;
  for (int i = 0; i < 50; i++)
    numbers[i] = (seed = seed * 1103515245 + 12345) >> 20;
  qsort(numbers, 50, sizeof *numbers, by_number);
  for (int i = 0; i < 50; i++)
    printf("%d ", numbers[i]);
  int key = numbers[33], absent = -1;
  int *found = bsearch(&key, numbers, 50, sizeof *numbers, by_number);
  printf("\n%d %d %d\n", *found, bsearch(&absent, numbers, 50, sizeof *numbers, by_number) == NULL, calls > 50);
  struct person people[] = {{"eve", 30}, {"bob", 25}, {"al", 30}, {"dan", 20}, {"cy", 25}};
  qsort(people, 5, sizeof *people, by_age);
  for (int i = 0; i < 5; i++)
    printf("%s:%d ", people[i].name, people[i].age);
  const char *names[] = {"pear", "apple", "fig", "banana"};
  qsort(names, 4, sizeof *names, by_name);
  for (int i = 0; i < 4; i++)
    printf("%s ", names[i]);
  qsort(numbers, 0, sizeof *numbers, by_number);
  qsort(numbers, 1, sizeof *numbers, by_number);
  printf("\n");
  return 0;
}

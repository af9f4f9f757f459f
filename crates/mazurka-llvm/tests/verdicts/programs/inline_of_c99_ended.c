// wrong: invalid-memory: `small` is used after the end of its block
// In a file with inline functions of C99, variables of blocks end as everywhere.
inline int *smaller(int *a, int *b) { return *a < *b ? a : b; }

int main(void) {
  int *found, large = 10;
  {
    int small = 1;
    found = smaller(&small, &large);
  }
  return *found;
}

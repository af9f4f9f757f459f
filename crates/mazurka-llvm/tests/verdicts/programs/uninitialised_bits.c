// wrong: undefined-behaviour: a branch depends on a variable that was never written
// Masks and shifts of a value that was never written.
int main() {
  unsigned flags;
  if ((flags >> 3) & 1) return 1;
}

// wrong: unsupported: a branch depends on any value of `__VERIFIER_nondet_…`
// with: nondet=none
// A mask of any number is not one number.
unsigned __VERIFIER_nondet_uint(void);

int main() {
  unsigned any = __VERIFIER_nondet_uint() | 4;
  if ((any & 3) == 2) return 1;
}

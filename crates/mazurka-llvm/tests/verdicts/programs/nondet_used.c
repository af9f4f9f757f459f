// wrong: unsupported: a branch depends on any value of `__VERIFIER_nondet_…`
// with: nondet=none
int __VERIFIER_nondet_int(void);

int main(void) { if (__VERIFIER_nondet_int() > 3) return 1; }

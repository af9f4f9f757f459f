// correct
// with: nondet=none
int __VERIFIER_nondet_int(void);
static int value;

int main(void) {
    value = __VERIFIER_nondet_int();
    int copy = value + 1;
    value = copy;
}

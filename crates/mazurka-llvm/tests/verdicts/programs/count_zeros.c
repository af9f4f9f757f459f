// wrong: undefined-behaviour: the zeros before or behind the bits of 0 are counted
int main() {
  volatile unsigned none = 0;
  return __builtin_clz(none);
}

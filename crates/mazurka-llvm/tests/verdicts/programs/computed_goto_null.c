// wrong: undefined-behaviour: `goto *` jumps to an address that is no label of `main`
int main(void) {
  void *to = &&end;
  to = 0;
  goto *to;
end:
  return 0;
}

// refused: `text` has 3000000000 bytes, and 268427264 is the most that a variable can have
int main(void) {
  char text[3000000000u];
  text[1] = 0;
  return text[1];
}

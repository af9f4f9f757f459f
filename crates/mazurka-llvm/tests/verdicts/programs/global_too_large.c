// refused: `text` has 3000000000 bytes, and 268427264 is the most that a variable can have
static char text[3000000000u];

int main(void) { return text[1]; }

// wrong: undefined-behaviour: a value of 32 bits is shifted by 32
int main(void) {
    int by = 32;
    return 1 << by;
}

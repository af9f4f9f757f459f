// wrong: undefined-behaviour: an access to 4 bytes of `buffer` is not aligned: it starts at byte 1
int main(void) {
    char buffer[8] = {0};
    int *p = (int *)(buffer + 1);
    return *p;
}

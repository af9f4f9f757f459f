// wrong: undefined-behaviour: a floating-point number does not fit
int main(void) {
    double big = 1e10;
    int i = (int)big;
    return i == 0;
}

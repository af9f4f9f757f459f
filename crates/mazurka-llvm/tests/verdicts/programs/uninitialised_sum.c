// wrong: undefined-behaviour: a branch depends on a variable that was never written
int main(void) {
    int a[3] = {1, 2, 3};
    int sum;
    for (int i = 0; i < 3; i++) sum += a[i];
    return sum > 3 ? 0 : 1;
}

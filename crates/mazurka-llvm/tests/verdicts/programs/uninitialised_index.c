// wrong: undefined-behaviour: an address depends on
static int a[10];

int main(void) {
    int i;
    return a[i];
}

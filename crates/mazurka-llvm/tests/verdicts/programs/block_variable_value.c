// wrong: undefined-behaviour: a branch depends on
// The variable of each iteration is a new one.
int main(void)
{
    for (int i = 0; i < 2; i++) {
        int value;
        if (i == 0)
            value = 5;
        if (value != 5)
            return 1;
    }
    return 0;
}

// wrong: undefined-behaviour: `add` is called as `int32 (int64)`, but its type is `int32 (int32, int32)`
static int add(int a, int b) { return a + b; }

int main(void)
{
    int (*call)(long) = (int (*)(long))add;
    return call(3);
}

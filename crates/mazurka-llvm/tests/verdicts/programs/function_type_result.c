// wrong: undefined-behaviour: `work` is called as `int32 (pointer)`, but its type is `void (pointer)`
static void work(void *argument) { (void)argument; }

int main(void)
{
    int (*call)(void *) = (int (*)(void *))work;
    call(0);
    return 0;
}

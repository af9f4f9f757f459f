// wrong: invalid-memory: `inner` is used after the end of its block
int main(void)
{
    int *pointer;
    {
        int inner = 1;
        pointer = &inner;
    }
    return *pointer - 1;
}

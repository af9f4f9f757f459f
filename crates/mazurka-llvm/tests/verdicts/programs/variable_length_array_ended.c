// wrong: invalid-memory: a local variable is used after
int main(int argc, char **argv)
{
    int *pointer;
    {
        int array[argc + 1];
        array[0] = 1;
        pointer = array;
    }
    return *pointer - 1;
}

// correct
// The arrays of earlier iterations are gone.
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 50000; i++) {
        int array[i % 7 + 1];
        array[i % 7] = i;
        sum ^= array[i % 7];
    }
    return sum == 1;
}

// wrong: invalid-memory: the memory allocated at
int main() {
    int *array = new int[4];
    delete array;
}

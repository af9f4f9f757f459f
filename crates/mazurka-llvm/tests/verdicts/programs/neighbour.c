// wrong: invalid-memory: the index 4 leaves an array, whose greatest index is 3, for its neighbour
struct pair {
    int a[4];
    int b[4];
};

int main(void) {
    struct pair pair = {{0}, {0}};
    int i = 4;
    return pair.a[i];
}

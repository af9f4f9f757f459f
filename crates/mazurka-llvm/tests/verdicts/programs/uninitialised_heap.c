// wrong: undefined-behaviour: a branch depends on `node@11.count`, which was never written
#include <pthread.h>
#include <stdlib.h>

struct node {
    int count;
    char flag;
};

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->flag = 1;
    if (node->count == 0) node->flag = 2;
    free(node);
}

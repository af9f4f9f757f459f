// wrong: undefined-behaviour: a branch depends on
struct Options {
    bool verbose;
    int level;
};

int main() {
    Options *options = new Options;
    options->level = 1;
    bool verbose = options->verbose;
    int level = options->level;
    delete options;
    return verbose ? level : 0;
}

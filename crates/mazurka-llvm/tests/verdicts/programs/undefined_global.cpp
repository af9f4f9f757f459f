// refused: `config::workers` is declared, but no file of the program defines it
namespace config {
extern int workers;
}
int main() { return config::workers; }

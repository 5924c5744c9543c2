// offgrid-bench: what `offgrid bench` starts. The arguments begin with the command's own name.
#include "bench_command.h"

int main(int argc, char** argv) {
  return offgrid::bench::bench_command({argv + 1, static_cast<std::size_t>(argc > 1 ? argc - 1 : 0)});
}

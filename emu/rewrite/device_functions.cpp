// Finds the bodies of functions and lambdas marked __global__ or __device__.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {

void find_device_functions(PassContext& context) {
  const SourceText& t = context.source;
  for (const WordAt& at : context.words) {
    if (at.word != Word::kGlobal && at.word != Word::kDevice) continue;
    const Declaration d = read_declaration(t, at.token);
    if (d.body == kNone || context.device_bodies.contains(d.body)) continue;
    if (d.kind != Declaration::Kind::kFunction && d.kind != Declaration::Kind::kLambda) continue;
    context.device_bodies[d.body] = {d, read_parameters(t, d.open_paren, d.close_paren)};
  }
}

}  // namespace offgrid::emu::rewrite

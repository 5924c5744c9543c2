/// Starting and leaving fibers. The switch itself is `switch_context` in <offgrid/emu/engine/context.h>.
#pragma once

#include <offgrid/emu/engine/context.h>

#include "fiber/stack_pool.h"

namespace offgrid::emu {

/// Makes `context` start `entry` on `stack` when it is first switched to. `entry` must never return.
void prepare_fiber(Context& context, const Stack& stack, void (*entry)());

/// Continues `to` and never comes back; the running fiber's stack may be reused.
[[noreturn]] void leave_fiber(Context& to);

/// Fills in what a context of an OS thread's own stack needs before something switches back to it.
void adopt_thread(Context& context);

}  // namespace offgrid::emu

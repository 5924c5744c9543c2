// The same interface over Boost.Context: other processors, and sanitizer builds, which must be told of each switch.
#include "fiber/fiber.h"

#if !OFFGRID_OWN_SWITCH

#include <pthread.h>

#include <boost/context/detail/fcontext.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define OFFGRID_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OFFGRID_ASAN 1
#endif
#endif
#ifndef OFFGRID_ASAN
#define OFFGRID_ASAN 0
#endif
#if OFFGRID_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace offgrid::emu {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

void before_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const Context& to) {
#if OFFGRID_ASAN
  __sanitizer_start_switch_fiber(fake_stack, to.stack_bottom, to.stack_bytes);
#endif
}

// Runs first in whatever was switched to: stores where the other side stopped.
void after_switch(transfer_t from, [[maybe_unused]] void* fake_stack) {
  static_cast<Context*>(from.data)->sp = from.fctx;
#if OFFGRID_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

thread_local void (*starting_entry)() = nullptr;
thread_local Context left_behind;  // where leave_fiber's dead context is stored, and never read

[[noreturn]] void start(transfer_t from) {
  after_switch(from, nullptr);
  starting_entry();
  __builtin_trap();
}

}  // namespace

void switch_context(Context& from, Context& to) {
  before_switch(&from.fake_stack, to);
  const transfer_t back = jump_fcontext(to.sp, &from);
  after_switch(back, from.fake_stack);
}

void prepare_fiber(Context& context, const Stack& stack, void (*entry)()) {
  starting_entry = entry;
  const std::size_t usable = static_cast<std::size_t>(stack.top - stack.bottom);
#if OFFGRID_ASAN
  __asan_unpoison_memory_region(stack.bottom, usable);  // frames of the fiber that had it before
#endif
  context.sp = make_fcontext(stack.top, usable, &start);
  context.stack_bottom = stack.bottom;
  context.stack_bytes = usable;
}

void leave_fiber(Context& to) {
  before_switch(nullptr, to);
  jump_fcontext(to.sp, &left_behind);
  __builtin_trap();
}

void adopt_thread([[maybe_unused]] Context& context) {
#if OFFGRID_ASAN
  struct ThreadStack {
    void* bottom = nullptr;
    std::size_t bytes = 0;
    ThreadStack() {
      pthread_attr_t attributes;
      if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
      pthread_attr_getstack(&attributes, &bottom, &bytes);
      pthread_attr_destroy(&attributes);
    }
  };
  static thread_local const ThreadStack stack;  // finding it out reads /proc/self/maps
  context.stack_bottom = stack.bottom;
  context.stack_bytes = stack.bytes;
#endif
}

}  // namespace offgrid::emu

#endif

/// The body of every rewritten `__global__` function: `enter_kernel({name, {file, line}, bounds, parameters}, lambda,
/// args...)`.
#pragma once

#include <offgrid/emu/argument_type.h>
#include <offgrid/emu/launch.h>

#include <tuple>
#include <type_traits>
#include <utility>

namespace offgrid::emu {
namespace detail {

/// One per kernel instance: Body is the closure type of the kernel's own lambda, so it is unique.
template <class Body, class... Args>
struct KernelInstance {
  struct Closure {
    Body body;
    std::tuple<Args...> arguments;
  };
  [[gnu::noinline]] static void run_lane(const void* closure) {
    const Closure& c = *static_cast<const Closure*>(closure);
    std::apply([&](const Args&... a) { c.body(a...); }, c.arguments);
  }
  /// A tuple's layout is the standard library's. Looked up once, outside of all kernels, so that a report has no code
  /// of the kernel's file to call. Nothing is read from the storage.
  [[gnu::noinline]] static void measure_arguments() {
    union Storage {
      Storage() {}
      ~Storage() {}
      Closure closure;
    } storage;
    [[maybe_unused]] const auto begin = reinterpret_cast<std::uintptr_t>(&storage);
    std::apply(
        [&](const Args&... a) {
          [[maybe_unused]] ArgumentType* type = argument_types;
          ((type++->offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(std::addressof(a)) - begin)),
           ...);
        },
        storage.closure.arguments);
  }
  static KernelDescriptor descriptor;
  static inline ArgumentType argument_types[sizeof...(Args) + 1] = {ArgumentTypeOf<Args>::value()...};
};

template <class Body, class... Args>
#if defined(__clang__)
[[clang::annotate("offgrid_kernel_descriptor")]]
#endif
KernelDescriptor KernelInstance<Body, Args...>::descriptor{kKernelAbi, &KernelInstance::run_lane};

template <class Instance, class Body, class... Args, std::size_t... I>
std::shared_ptr<const void> closure_from_array(Body body, void** arguments, std::index_sequence<I...>,
                                               std::tuple<Args...>*) {
  return std::make_shared<typename Instance::Closure>(typename Instance::Closure{
      body, std::tuple<Args...>(*static_cast<typename ArgumentTypeOf<Args>::Plain*>(arguments[I])...)});
}

}  // namespace detail

/// Called first and last in a rewritten kernel. Depending on the pending entry it submits a launch with a copy of
/// `args`, tells who it is, or builds a call from an argument array. Only in the first case may `args` be read.
template <class Body, class... Params>
[[gnu::noinline]] void enter_kernel(const KernelSource& source, Body body, Params&... args) {
  using Instance = detail::KernelInstance<Body, std::remove_cv_t<Params>...>;
  KernelDescriptor& kernel = Instance::descriptor;
  if (kernel.pretty_name[0] == '\0') {
    kernel.where = source.where;
    kernel.max_threads = source.max_threads;
    kernel.min_blocks = source.min_blocks;
    kernel.pretty_name = source.pretty_name;
    kernel.parameters = source.parameters;
    kernel.max_cluster_blocks = source.max_cluster_blocks;
    kernel.cluster_must_be_set = source.cluster[0] < 0;
    kernel.cluster_is_declared = source.cluster[0] > 0;
    for (int axis = 0; kernel.cluster_is_declared && axis < 3; ++axis) {
      kernel.cluster[axis] = static_cast<unsigned>(source.cluster[axis]);
    }
    kernel.argument_types = Instance::argument_types;
    kernel.arguments = sizeof...(Params);
    Instance::measure_arguments();
  }
  detail::PendingEntry& pending = detail::pending_entry();
  const auto mode = pending.mode;
  pending.mode = detail::PendingEntry::Mode::kNone;
  switch (mode) {
    case detail::PendingEntry::Mode::kLaunch:
      submit_kernel({&kernel, pending.config,
                     std::make_shared<typename Instance::Closure>(
                         typename Instance::Closure{body, std::tuple<std::remove_cv_t<Params>...>(args...)})});
      return;
    case detail::PendingEntry::Mode::kIdentify:
      pending.kernel = &kernel;
      return;
    case detail::PendingEntry::Mode::kFromArguments:
      pending.call = {
          &kernel, pending.config,
          detail::closure_from_array<Instance>(body, pending.arguments, std::index_sequence_for<Params...>{},
                                               static_cast<std::tuple<std::remove_cv_t<Params>...>*>(nullptr))};
      return;
    case detail::PendingEntry::Mode::kNone:
      detail::report_plain_call(source);
  }
}

}  // namespace offgrid::emu

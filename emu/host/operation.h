/// What a stream does, one value an operation, so that it can run now or be kept in a graph.
#pragma once

#include <offgrid/emu/launch.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "host/api_call.h"

namespace offgrid::emu::host {

struct Empty {};

/// A box of bytes, as cudaMemcpy3D has it; a plain copy has one row.
struct Copy {
  unsigned char* to = nullptr;
  const unsigned char* from = nullptr;
  std::size_t width = 0, height = 1, depth = 1;  ///< width in bytes
  std::size_t to_pitch = 0, to_slice = 0;        ///< bytes between rows and between slices
  std::size_t from_pitch = 0, from_slice = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

struct Fill {
  unsigned char* to = nullptr;
  unsigned value = 0;
  unsigned element_bytes = 1;                    ///< 1, 2 or 4
  std::size_t width = 0, height = 1, depth = 1;  ///< width in bytes
  std::size_t pitch = 0, slice = 0;
};

struct HostCall {
  std::function<void()> function;
};

/// A captured or added launch. `function` is the kernel's address, if the program gave it.
struct Launch {
  KernelCall call;
  const void* function = nullptr;
};

struct Sequence;

using Operation = std::variant<Empty, Launch, Copy, Fill, HostCall, std::shared_ptr<const Sequence>>;

/// A child graph: operations in an order that respects their dependencies.
struct Sequence {
  std::vector<Operation> operations;
  /// For each operation, which earlier ones it waits for; empty: each for the one before.
  std::vector<std::vector<std::size_t>> after;
};

Copy plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

/// The operation's arguments are those of a runnable one; else the error, after a finding if it is a mistake.
cudaError_t check(const ApiCall& api, const Operation& operation);

/// Checks and runs it. Faults in kernels are asynchronous errors: `faulted` is set and the result is success.
cudaError_t perform(const ApiCall& api, const Operation& operation, bool* faulted = nullptr);

/// Runs them in order, up to the first error or fault.
cudaError_t perform_all(const ApiCall& api, const Sequence& sequence, bool* faulted = nullptr);

}  // namespace offgrid::emu::host

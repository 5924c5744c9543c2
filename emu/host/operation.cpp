// Copies, fills, host functions and launches, run at once.
#include "host/operation.h"

#include <cstring>
#include <optional>

#include "check/stream_race.h"
#include "engine/observer.h"
#include "host/last_error.h"
#include "host/pointers.h"
#include "memory/window.h"

namespace offgrid::emu::host {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

struct Box {
  std::size_t width, height, depth, pitch, slice;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  /// From the first byte of the first row to the last byte of the last.
  std::size_t span() const { return (depth - 1) * slice + (height - 1) * pitch + width; }
  bool rows_overlap() const { return (height > 1 && pitch < width) || (depth > 1 && slice < pitch * height); }
};

cudaError_t check_copy(const ApiCall& api, const Copy& c) {
  if (c.kind < cudaMemcpyHostToHost || c.kind > cudaMemcpyDefault) return api.done(cudaErrorInvalidMemcpyDirection);
  const Box to{c.width, c.height, c.depth, c.to_pitch, c.to_slice};
  const Box from{c.width, c.height, c.depth, c.from_pitch, c.from_slice};
  if (to.empty()) return cudaSuccess;
  if (to.rows_overlap() || from.rows_overlap()) return api.done(cudaErrorInvalidPitchValue);
  const cudaError_t error = check_range(api, c.to, to.span(), destination_side(c.kind), "destination");
  return error != cudaSuccess ? error : check_range(api, c.from, from.span(), source_side(c.kind), "source");
}

cudaError_t check_fill(const ApiCall& api, const Fill& f) {
  const Box to{f.width, f.height, f.depth, f.pitch, f.slice};
  if (to.empty()) return cudaSuccess;
  if (to.rows_overlap()) return api.done(cudaErrorInvalidPitchValue);
  if (f.element_bytes != 1 && f.element_bytes != 2 && f.element_bytes != 4) return api.done(cudaErrorInvalidValue);
  return check_range(api, f.to, to.span(), Side::kDevice, "destination");
}

bool goes_to_host(const Copy& c, const unsigned char* to) {
  if (destination_side(c.kind) == Side::kHost) return true;
  return c.kind == cudaMemcpyDefault && !window().contains(reinterpret_cast<std::uintptr_t>(to)) && !is_symbol(to);
}

/// Tells the checks of one row; before the copy what the host gets, after it what the target now holds.
void copy_row(const Copy& c, unsigned char* to, const unsigned char* from, std::uintptr_t caller) {
  if (observer && goes_to_host(c, to)) observer->host_reads(from, c.width, 0, caller);
  std::memmove(to, from, c.width);
  if (observer) observer->copied(to, from, c.width, 0, caller);
}

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

void check_order(const ApiCall& api, const Copy& c) {
  check::check_copy({{address(c.to), c.width, c.height, c.depth, c.to_pitch, c.to_slice},
                     {address(c.from), c.width, c.height, c.depth, c.from_pitch, c.from_slice},
                     address(api.caller()),
                     api.name()});
}

void check_order(const ApiCall& api, const Fill& f) {
  check::check_copy(
      {{address(f.to), f.width, f.height, f.depth, f.pitch, f.slice}, {}, address(api.caller()), api.name()});
}

void run_copy(const ApiCall& api, const Copy& c) {
  if (c.width == 0) return;
  if (observer) check_order(api, c);
  for (std::size_t z = 0; z < c.depth; ++z) {
    for (std::size_t y = 0; y < c.height; ++y) {
      copy_row(c, c.to + z * c.to_slice + y * c.to_pitch, c.from + z * c.from_slice + y * c.from_pitch,
               address(api.caller()));
    }
  }
}

void fill_row(unsigned char* row, const Fill& f) {
  if (observer) observer->host_wrote(row, f.width, 0, 0);
  if (f.element_bytes == 1) {
    if (f.width != 0) std::memset(row, static_cast<int>(f.value & 0xFF), f.width);
    return;
  }
  for (std::size_t x = 0; x + f.element_bytes <= f.width; x += f.element_bytes) {
    std::memcpy(row + x, &f.value, f.element_bytes);  // little endian: the low bytes come first
  }
}

void run_fill(const ApiCall& api, const Fill& f) {
  if (observer) check_order(api, f);
  for (std::size_t z = 0; z < f.depth; ++z) {
    for (std::size_t y = 0; y < f.height; ++y) fill_row(f.to + z * f.slice + y * f.pitch, f);
  }
}

}  // namespace

Copy plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  Copy c;
  c.to = static_cast<unsigned char*>(to);
  c.from = static_cast<const unsigned char*>(from);
  c.width = c.to_pitch = c.from_pitch = c.to_slice = c.from_slice = bytes;
  c.kind = kind;
  return c;
}

cudaError_t check(const ApiCall& api, const Operation& operation) {
  if (const Copy* copy = std::get_if<Copy>(&operation)) return check_copy(api, *copy);
  if (const Fill* fill = std::get_if<Fill>(&operation)) return check_fill(api, *fill);
  return cudaSuccess;
}

cudaError_t perform(const ApiCall& api, const Operation& operation, bool* faulted) {
  const cudaError_t error = check(api, operation);
  if (error != cudaSuccess) return error;
  return std::visit(
      Overloaded{[](const Empty&) { return cudaSuccess; },
                 [&](const Launch& launch) {
                   const LaunchError e = run_kernel(launch.call);
                   if (faulted != nullptr) *faulted = is_asynchronous(e);
                   return is_asynchronous(e) ? cudaSuccess : api.done(to_cuda_error(e));
                 },
                 [&](const Copy& copy) { return run_copy(api, copy), cudaSuccess; },
                 [&](const Fill& fill) { return run_fill(api, fill), cudaSuccess; },
                 [](const HostCall& call) { return call.function(), cudaSuccess; },
                 [&](const std::shared_ptr<const Sequence>& child) { return perform_all(api, *child, faulted); }},
      operation);
}

cudaError_t perform_all(const ApiCall& api, const Sequence& sequence, bool* faulted) {
  std::optional<check::OnGraph> branches;
  if (observer && !sequence.after.empty()) branches.emplace();
  bool fault = false;
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < sequence.operations.size(); ++i) {
    if (branches) branches->next(sequence.after[i]);
    error = perform(api, sequence.operations[i], &fault);
    if (error != cudaSuccess || fault) break;
  }
  if (faulted != nullptr) *faulted = fault;
  return error;
}

}  // namespace offgrid::emu::host

/// One call of the runtime API: what it sets as the last error and what it reports when it is used wrongly.
#pragma once

#include <offgrid/emu/host/runtime_api.h>
#include <offgrid/emu/memory.h>
#include <offgrid/emu/source_line.h>

#include <string>
#include <vector>

namespace offgrid::emu::host {

/// A mistake of the caller that is worth more than an error code.
struct Misuse {
  std::string headline;
  std::vector<std::string> notes;
  std::string help;
  const Allocation* allocation = nullptr;  ///< the one it is about, if any
};

class ApiCall {
 public:
  /// `name` without the prefix; `caller` is a code address in the calling line.
  ApiCall(const char* name, const void* caller);
  /// A launch, which knows its line.
  ApiCall(const char* name, SourceLine where);

  /// "cudaMemcpy" or "hipMemcpy", as the device's users write it.
  std::string name() const;

  /// Remembers an error for cudaGetLastError, and returns it.
  cudaError_t done(cudaError_t error) const;

  /// Reports the mistake as a finding, then done(error).
  cudaError_t misuse(cudaError_t error, Misuse what) const;

  const void* caller() const { return caller_; }

 private:
  const char* name_;
  const void* caller_ = nullptr;
  SourceLine where_;
};

/// `buffer` or `allocation #3`, in backquotes.
std::string label(const Allocation& allocation);

}  // namespace offgrid::emu::host

/// First line of every API function.
#define OFFGRID_API_CALL(name) \
  const ::offgrid::emu::host::ApiCall api(name, static_cast<const char*>(__builtin_return_address(0)) - 1)

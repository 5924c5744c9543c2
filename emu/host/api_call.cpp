// Findings and last errors of API calls.
#include "host/api_call.h"

#include <offgrid/emu/engine.h>

#include <algorithm>
#include <utility>

#include "host/last_error.h"
#include "host/streams.h"

namespace offgrid::emu::host {
namespace {

/// What must be in place before the first call does anything.
void ensure_ready() {
  static const bool ready = [] {
    DeviceMemory& memory = DeviceMemory::instance();
    memory.set_limit(std::min(memory.limit(), active_profile().global_bytes));
    receive_launches();
    return true;
  }();
  (void)ready;
}

}  // namespace

ApiCall::ApiCall(const char* name, const void* caller) : name_(name), caller_(caller) { ensure_ready(); }

ApiCall::ApiCall(const char* name, SourceLine where) : name_(name), where_(where) {}

std::string ApiCall::name() const {
  return (active_profile().vendor == Vendor::kAmd ? "hip" : "cuda") + std::string(name_);
}

cudaError_t ApiCall::done(cudaError_t error) const {
  if (error != cudaSuccess) set_last_error(error);
  return error;
}

cudaError_t ApiCall::misuse(cudaError_t error, Misuse what) const {
  Finding f;
  f.id = FindingId::kHostApiMisuse;
  f.headline = std::move(what.headline);
  f.sites.push_back({"call", where_, reinterpret_cast<std::uintptr_t>(caller_), name()});
  if (what.allocation != nullptr) {
    const Allocation& a = *what.allocation;
    f.sites.push_back({"allocated", a.site, a.site_pc, label(a) + ", " + std::to_string(a.bytes) + " bytes"});
  }
  f.notes = std::move(what.notes);
  f.notes.push_back("returned " + std::string(cudaGetErrorName(error)));
  f.help = std::move(what.help);
  finding_sink().add(std::move(f));
  return done(error);
}

std::string label(const Allocation& allocation) {
  return "`" + (allocation.name.empty() ? "allocation #" + std::to_string(allocation.id) : allocation.name) + "`";
}

}  // namespace offgrid::emu::host

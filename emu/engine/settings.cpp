// The engine's settings: read from the environment once, or given by the host program.
#include <offgrid/emu/engine.h>
#include <offgrid/emu/report.h>
#include <offgrid/emu/schedule.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "engine/exploration.h"
#include "engine/state.h"
#include "memory/window.h"

// The driver links a strong definition when -arch names a device.
extern "C" {
__attribute__((weak)) const char* offgrid_default_profile = "sm_90";
}

namespace offgrid::emu {
namespace {

[[noreturn]] void bad_environment(const char* name, const std::string& value, const std::string& rule) {
  std::fprintf(stderr, "offgrid: error: %s=%s: %s\n", name, value.c_str(), rule.c_str());
  std::exit(2);
}

const DeviceProfile* profile_named(const char* variable, const char* name) {
  if (const DeviceProfile* profile = find_device_profile(name)) return profile;
  std::string known;
  for (const DeviceProfile& p : device_profiles()) known += (known.empty() ? "" : ", ") + std::string(p.name);
  bad_environment(variable, name, "no such device profile; known are " + known);
}

unsigned workers_from(const char* text) {
  char* end = nullptr;
  const long n = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || n < 1 || n > 1024)
    bad_environment("OFFGRID_WORKERS", text, "must be a number from 1 to 1024");
  return static_cast<unsigned>(n);
}

Numerics numerics_from(const char* text) {
  if (std::strcmp(text, "exact") == 0) return Numerics::kExact;
  if (std::strcmp(text, "fast") == 0) return Numerics::kFast;
  bad_environment("OFFGRID_NUMERICS", text, "must be exact (the device's bits) or fast (the host's functions)");
}

std::unique_ptr<SchedulePolicy> named_policy(const std::string& text) {
  try {
    const PolicySpec spec = parse_policy(text);
    if (spec.name == "in-order") return nullptr;  // the default order needs no policy
    return make_policy(spec);
  } catch (const std::invalid_argument& error) {
    bad_environment("OFFGRID_SCHEDULE", text, error.what());
  }
}

/// Settings that were copied may name it for as long as the process lives.
SchedulePolicy* policy_from(const std::string& text) {
  static const std::unique_ptr<SchedulePolicy> policy = named_policy(text);
  return policy.get();
}

EngineSettings completed(EngineSettings settings) {
  if (!settings.profile) {
    const char* name = std::getenv("OFFGRID_DEVICE");
    settings.profile = name ? profile_named("OFFGRID_DEVICE", name) : profile_named("-arch", offgrid_default_profile);
  }
  if (settings.workers == 0) {
    const char* text = std::getenv("OFFGRID_WORKERS");
    settings.workers = text ? workers_from(text) : std::max(1u, std::thread::hardware_concurrency());
  }
  if (settings.numerics == Numerics::kProfile) {
    const char* text = std::getenv("OFFGRID_NUMERICS");
    settings.numerics = text                               ? numerics_from(text)
                        : settings.profile->exact_numerics ? Numerics::kExact
                                                           : Numerics::kFast;
  }
  if (const char* text = std::getenv("OFFGRID_SCHEDULE"); text && !settings.policy) settings.policy = policy_from(text);
  return settings;
}

EngineSettings& current() {
  static EngineSettings settings = [] {
    EngineSettings first = completed({});
    explore_with(first.policy);
    set_exact_numerics(first.numerics == Numerics::kExact);
    return first;
  }();
  return settings;
}

FindingSink*& sink() {
  static FindingSink* current_sink = nullptr;
  return current_sink;
}

}  // namespace

void configure_engine(const EngineSettings& settings) {
  const std::size_t stack_bytes = current().stack_bytes;
  current() = completed(settings);
  explore_with(current().policy);
  set_exact_numerics(current().numerics == Numerics::kExact);
  if (current().stack_bytes != stack_bytes) drop_idle_workers();
}

const EngineSettings& engine_settings() { return current(); }

const DeviceProfile& active_profile() { return *current().profile; }

FindingSink& finding_sink() { return sink() ? *sink() : default_reporter(); }

FindingSink* set_finding_sink(FindingSink* to) { return std::exchange(sink(), to); }

}  // namespace offgrid::emu

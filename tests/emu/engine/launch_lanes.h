/// Launches a lambda as a kernel, in the form that the rewriter gives to kernels.
#pragma once

#include <offgrid/emu/engine.h>
#include <offgrid/emu/finding_collector.h>
#include <offgrid/emu/kernel_entry.h>
#include <offgrid/emu/launch.h>
#include <offgrid/emu/shared_variable.h>

#include <memory>
#include <string>
#include <string_view>
#include <tuple>

namespace offgrid::emu {

/// Settings for as long as it lives.
class EngineScope {
 public:
  explicit EngineScope(const EngineSettings& settings) : saved_(engine_settings()) { configure_engine(settings); }
  ~EngineScope() { configure_engine(saved_); }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  EngineSettings saved_;
};

inline EngineSettings on_device(std::string_view profile, unsigned workers = 1) {
  EngineSettings settings;
  settings.profile = find_device_profile(profile);
  settings.workers = workers;
  return settings;
}

struct LaneLaunch {
  dim3 grid = 1, block = 32;
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  dim3 cluster = {0, 0, 0};
};

/// Runs `body` in every lane. A lambda is a kernel of its own.
template <class Body>
LaunchError launch_lanes(const LaneLaunch& shape, Body body) {
  using Instance = detail::KernelInstance<Body>;
  Instance::descriptor.pretty_name = "void lanes()";
  LaunchConfig config;
  config.grid = shape.grid;
  config.block = shape.block;
  config.dynamic_shared = shape.dynamic_shared;
  config.cooperative = shape.cooperative;
  config.cluster = shape.cluster;
  config.where = {__FILE__, __LINE__};
  return run_kernel({&Instance::descriptor, config,
                     std::make_shared<typename Instance::Closure>(typename Instance::Closure{body, std::tuple<>()})});
}

inline unsigned thread_in_block() {
  return (offgrid_thread_z() * offgrid_block_dim_y() + offgrid_thread_y()) * offgrid_block_dim_x() + offgrid_thread_x();
}

}  // namespace offgrid::emu

/// A shared variable, as the rewriter writes it.
#define TEST_SHARED(T, name, ...)                                           \
  typedef T name##_type __VA_ARGS__;                                        \
  static ::offgrid::emu::SharedVariable name##_variable{                    \
      #name,                                                                \
      {__FILE__, __LINE__},                                                 \
      sizeof(name##_type),                                                  \
      alignof(name##_type),                                                 \
      ::offgrid::emu::element_type_of(static_cast<name##_type*>(nullptr))}; \
  name##_type& name = *static_cast<name##_type*>(name##_variable.address())

#include <offgrid/emu/numerics/exact.h>

#include <atomic>

namespace offgrid::emu {
namespace {
constinit std::atomic<bool> is_exact{true};
}  // namespace

void set_exact_numerics(bool exact) noexcept { is_exact.store(exact, std::memory_order_relaxed); }
bool exact_numerics() noexcept { return is_exact.load(std::memory_order_relaxed); }

}  // namespace offgrid::emu

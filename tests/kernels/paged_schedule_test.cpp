// Kernels over paged caches give the same bits in every order of their threads, eight by default and a thousand with
// [long].
#include "cases/paged_schedule_case.h"
#include "catch.h"

namespace {

void run(bool long_ones) {
  int count = 0;
  for (const auto& one : offgrid::cases::paged_schedule_cases()) {
    if (one.is_long != long_ones) continue;
    ++count;
    const auto outcome = one.run();
    INFO(one.name << "\n" << outcome.text);
    CHECK(outcome.status == offgrid::cases::Status::kPassed);
  }
  CHECK(count == 34);
}

}  // namespace

TEST_CASE("PagedKernels.GiveTheSameBitsInEightOrders") { run(false); }
TEST_CASE("PagedKernels.GiveTheSameBitsInAThousandOrders", "[.][long]") { run(true); }

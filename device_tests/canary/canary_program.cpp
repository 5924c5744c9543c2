// The canary cases in the program of the probes.
#include "canary/canary_case.h"

namespace offgrid::canary {
namespace {

const cases::AddCases kCanaries{canary_cases()};

}  // namespace
}  // namespace offgrid::canary

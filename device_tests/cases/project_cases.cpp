// Every case of this project's kernels, registered before main().
#include <offgrid/cases/case.h>

#include "cases/dcp_case.h"
#include "cases/merge_case.h"
#include "cases/mla_decode_graph.h"
#include "cases/mla_decode_laws.h"
#include "cases/mla_decode_run.h"
#include "cases/mla_decode_sparse.h"

namespace offgrid::cases {
namespace {

const AddCases kMlaDecode{mla_decode_cases()};
const AddCases kGraphs{mla_decode_graph_cases()};
const AddCases kLaws{mla_decode_law_cases()};
const AddCases kSparse{mla_decode_sparse_cases()};
const AddCases kMerges{merge_cases()};
const AddCases kDcp{dcp_cases()};

}  // namespace
}  // namespace offgrid::cases

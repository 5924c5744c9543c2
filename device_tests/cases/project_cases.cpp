// Every case of this project's kernels, registered before main().
#include <offgrid/cases/case.h>

#include "cases/dcp_case.h"
#include "cases/merge_case.h"
#include "cases/mla_decode_graph.h"
#include "cases/mla_decode_laws.h"
#include "cases/mla_decode_run.h"
#include "cases/mla_decode_sparse.h"
#include "cases/paged_decode_case.h"
#include "cases/paged_forward_case.h"
#include "cases/paged_prefill_case.h"
#include "cases/paged_sparse_case.h"
#include "cases/paged_writer_case.h"

namespace offgrid::cases {
namespace {

const AddCases kMlaDecode{mla_decode_cases()};
const AddCases kGraphs{mla_decode_graph_cases()};
const AddCases kLaws{mla_decode_law_cases()};
const AddCases kSparse{mla_decode_sparse_cases()};
const AddCases kMerges{merge_cases()};
const AddCases kDcp{dcp_cases()};
const AddCases kPagedDecode{paged_decode_cases()};
const AddCases kPagedWriters{paged_writer_cases()};
const AddCases kPagedPrefill{paged_prefill_cases()};
const AddCases kPagedForward{paged_forward_cases()};
const AddCases kPagedSparse{paged_sparse_cases()};

}  // namespace
}  // namespace offgrid::cases

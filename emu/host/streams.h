/// Streams: ordered lists of operations, each of which runs as soon as it is issued, unless its stream is being
/// captured.
#pragma once

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "check/stream_order.h"
#include "host/graph.h"
#include "host/operation.h"

namespace offgrid::emu::host {

/// A capture in progress; every stream that takes part shares it.
struct Capture {
  Capture();
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::unique_ptr<CUgraph_st> graph;  ///< a live handle from the start; given away at the end
  std::vector<CUstream_st*> members;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  cudaStream_t origin = nullptr;
  std::thread::id thread;
  unsigned long long id = 0;
  bool invalidated = false;
};

/// The object behind a handle (also behind null and the named handles); null if there is none.
CUstream_st* resolve(cudaStream_t stream);

/// As resolve, but a handle that does not exist is reported and *error set.
CUstream_st* resolve_or_report(const ApiCall& api, cudaStream_t stream, cudaError_t* error);

/// Runs the operation, or adds it to the graph that its stream is captured into.
cudaError_t issue(const ApiCall& api, cudaStream_t stream, Operation operation);

/// Success, unless a capture forbids a call that would wait or allocate; the capture is then invalidated.
cudaError_t refuse_in_capture(const ApiCall& api);

/// For calls that wait for this stream (null handle object: for all of them).
cudaError_t refuse_to_wait(const ApiCall& api, const CUstream_st* stream);

/// The calling thread has waited for the stream, or for everything: to the checks of order, and for memory that the
/// host reads without a call.
void waited_for(const ApiCall& api, CUstream_st& stream);
void waited_for_all(const ApiCall& api);

/// The stream as the checks of order know it.
check::StreamId order_id(CUstream_st& stream);

/// Makes launches written with <<<>>> go through their streams.
void receive_launches();

/// A capture begins with its origin; further streams enter; at its end all leave.
void begin_capture(CUstream_st& origin, std::shared_ptr<Capture> capture);
void enter_capture(CUstream_st& stream, const std::shared_ptr<Capture>& capture);
void end_capture(Capture& capture);
void leave_capture(CUstream_st& stream);

/// How the calling thread wants to be kept from mistakes; the old mode is returned.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

}  // namespace offgrid::emu::host

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::optional<offgrid::emu::check::StreamId> order;  ///< once something has asked for it
  std::shared_ptr<offgrid::emu::host::Capture> capture;
  std::vector<cudaGraphNode_t> tail;  ///< what the next captured operation depends on
};

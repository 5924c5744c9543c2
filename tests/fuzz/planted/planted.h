// Two targets of one kernel: with its bug, and with what it lacks. The second one's name ends with "_fenced".
#pragma once

#include <cuda_runtime.h>
#include <offgrid/fuzz/target.h>

#include <string>

namespace planted {

using offgrid::cases::Outcome;
using offgrid::fuzz::Input;

/// Zeroed memory that kernels and the host see.
template <class T>
class Memory {
 public:
  explicit Memory(int n) : n_(n) {
    cudaMallocManaged(&data_, sizeof(T) * n);
    cudaMemset(data_, 0, sizeof(T) * n);
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  T* get() { return data_; }
  T& operator[](int i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  int n_;
};

inline Outcome expect(const std::string& what, long got, long want) {
  if (got == want) return offgrid::fuzz::passed();
  return offgrid::fuzz::mismatch(what + " is " + std::to_string(got) + ", want " + std::to_string(want));
}

struct Pair {
  Pair(const char* name, std::vector<offgrid::fuzz::Parameter> parameters, Outcome (*buggy)(const Input&),
       Outcome (*fenced)(const Input&))
      : buggy_({name, parameters, buggy, {}}), fenced_({std::string(name) + "_fenced", parameters, fenced, {}}) {}
  offgrid::fuzz::AddTarget buggy_, fenced_;
};

}  // namespace planted

/// CUDA and HIP text to C++ text for the emulator. Lines stay where they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu::rewrite {

struct RewriteOptions {
  std::string file = "input.cu";  ///< name for text in front of the first line marker
  /// Where relative names in line markers begin, with a slash at its end. Places that the program reports get it in
  /// front; errors and the markers themselves keep the name as it is.
  std::string folder;
  /// Each file has its own device variables and functions, as nvcc has them without -rdc: they become `static`.
  bool whole_program = true;
  /// Headers below these folders hold no PTX: their asm statements are the host's. System headers never do.
  std::vector<std::string> native_folders;
  bool checked = false;  ///< for checked mode: accesses through pointers to vectors are told
};

struct RewriteDiagnostic {
  std::string file;
  unsigned line = 0;
  std::string message;
};

struct RewriteResult {
  std::string text;                       ///< as many lines as the input
  std::vector<RewriteDiagnostic> errors;  ///< not empty: text is unusable
};

/// Rewrites preprocessed text (`# line "file" flags` markers). Text without any CUDA word comes back byte for byte.
RewriteResult rewrite(std::string_view text, const RewriteOptions& options = {});

}  // namespace offgrid::emu::rewrite

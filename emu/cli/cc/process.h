/// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace offgrid::emu::cli {

/// Runs `command` (found on the PATH) and waits. Standard error is appended to the file `stderr_path` if that is not
/// empty. Returns its exit code, 128 + n after signal n, 127 if it cannot be started.
int run_process(const std::vector<std::string>& command, const std::string& stderr_path = {});

/// Runs `command` and appends what it writes to standard output to `text`. Returns the same.
int read_process(const std::vector<std::string>& command, std::string& text);

/// One line that a shell would read back as the same words.
std::string shell_line(const std::vector<std::string>& command);

}  // namespace offgrid::emu::cli

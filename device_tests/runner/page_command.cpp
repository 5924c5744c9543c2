// page OUT.html FILE...: results of devices, judged here, as one static page.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "runner/page.h"
#include "runner/results_file.h"
#include "runner/verify.h"

namespace offgrid::cases {
namespace {

// The picture in a file of offgrid-time --svg, from its element on.
// errors  std::runtime_error if there is none
std::string picture_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto begin = text.find("<svg"), end = text.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw std::runtime_error("'" + path + "' has no picture\n  = fix: name a file that offgrid-time --svg wrote");
  }
  return text.substr(begin, end + 6 - begin);
}

}  // namespace

int page_command(std::span<char*> arguments) {
  if (arguments.size() < 3) {
    std::fprintf(
        stderr,
        "usage: offgrid page OUT.html FILE...   (results that run --save wrote, pictures NAME.svg of timings)\n");
    return 2;
  }
  std::vector<PageDevice> devices;
  std::vector<std::string> pictures;
  for (char* const argument : arguments.subspan(2)) {
    if (std::string_view(argument).ends_with(".svg")) {
      pictures.push_back(picture_in(argument));
      continue;
    }
    const ResultsFile file = read_results_file(argument);
    devices.push_back({file.origin, verify_results(file)});
  }
  std::ofstream out(arguments[1], std::ios::binary);
  out << conformance_page(devices, pictures);
  out.flush();
  if (!out) {
    std::fprintf(stderr, "offgrid page: cannot write '%s'\n", arguments[1]);
    return 2;
  }
  return 0;
}

}  // namespace offgrid::cases

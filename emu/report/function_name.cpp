/// Turns linkage names into what the user wrote.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "report/source_resolver.h"

namespace offgrid::emu {
namespace {

std::string demangle(const std::string& name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : name;
}

/// The end of the name proper: the first '(' outside template arguments that opens a parameter list.
std::size_t parameters_begin(const std::string& name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && i != 0 && name[i - 1] != '-') --depth;
    if (name[i] != '(' || depth != 0) continue;
    if (name.compare(i, 21, "(anonymous namespace)") != 0) return i;
    i += 20;
  }
  return name.size();
}

/// Where the name begins: behind the return type, which ends at the last space outside template arguments.
std::size_t name_begin(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i > 0; --i) {
    const char c = name[i - 1];
    if (c == '>' || c == ')') ++depth;
    if (c == '<' || c == '(') --depth;
    if (c == ' ' && depth == 0) return i;
  }
  return 0;
}

/// Where the name of a lambda begins, as g++ ("::{lambda(int)#1}") and clang ("::$_0") spell it; else the end.
std::size_t lambda_begin(const std::string& name) {
  return std::min({name.find("::{lambda"), name.find("::$_"), name.size()});
}

}  // namespace

std::string short_function_name(const std::string& name) {
  std::string text = demangle(name);
  if (text == "operator()") return "";  // line tables alone (-gline-tables-only) do not tell whose
  if (lambda_begin(text) == text.size() && text.find("operator") != std::string::npos) return text;
  text.resize(lambda_begin(text));
  text.resize(parameters_begin(text));
  return text.substr(name_begin(text));
}

}  // namespace offgrid::emu

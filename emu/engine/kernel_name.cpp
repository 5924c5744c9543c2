// A kernel's short name from the compiler's long one.
#include <offgrid/emu/launch.h>

#include <string_view>

namespace offgrid::emu {
namespace {

// Position just behind the bracket that closes the one at `open`.
std::size_t closing(std::string_view s, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < s.size(); ++i) {
    if (s[i] == '(' || s[i] == '<' || s[i] == '[' || s[i] == '{') ++depth;
    if (s[i] == ')' || s[i] == '>' || s[i] == ']' || s[i] == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return s.size();
}

// "T = float, K = 576" -> "float, 576". Separators are ", " (clang) and "; " (g++).
std::string template_values(std::string_view bindings) {
  std::string values;
  int depth = 0;
  std::size_t start = 0;
  const auto add = [&](std::string_view binding) {
    const std::size_t equals = binding.find(" = ");
    if (equals == std::string_view::npos) return;
    if (!values.empty()) values += ", ";
    values += binding.substr(equals + 3);
  };
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const char c = bindings[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && (c == ',' || c == ';') && i + 1 < bindings.size() && bindings[i + 1] == ' ') {
      // A comma inside a value ("<int, 3>" is nested; "T = int, K = 3" is not): the next part must be a binding.
      add(bindings.substr(start, i - start));
      start = i + 2;
    }
  }
  add(bindings.substr(start));
  return values;
}

}  // namespace

std::string kernel_name(const KernelDescriptor& kernel) {
  std::string_view s = kernel.pretty_name;
  std::string_view bindings;
  if (!s.empty() && s.back() == ']') {
    if (const std::size_t open = s.rfind(" ["); open != std::string_view::npos) {
      bindings = s.substr(open + 2, s.size() - open - 3);
      if (bindings.substr(0, 5) == "with ") bindings.remove_prefix(5);
      s = s.substr(0, open);
    }
  }
  // The parameter list is the last bracket at depth 0; the name ends before it and begins behind the last space.
  std::size_t parameters = std::string_view::npos;
  for (std::size_t i = 0; i < s.size();) {
    if (s[i] == '(') parameters = i;
    i = (s[i] == '(' || s[i] == '<') ? closing(s, i) : i + 1;
  }
  s = s.substr(0, parameters);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < s.size();) {
    if (s[i] == ' ') begin = i + 1;
    i = (s[i] == '(' || s[i] == '<') ? closing(s, i) : i + 1;
  }
  std::string name(s.substr(begin));
  while (!name.empty() && (name[0] == '*' || name[0] == '&')) name.erase(0, 1);
  if (name.empty()) return kernel.pretty_name;
  if (const std::string values = template_values(bindings); !values.empty() && name.back() != '>')
    name += "<" + values + ">";
  return name;
}

}  // namespace offgrid::emu

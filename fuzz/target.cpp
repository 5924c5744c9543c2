// Targets and their shapes as text. See <offgrid/fuzz/target.h>.
#include <fnmatch.h>
#include <offgrid/fuzz/target.h>

#include <charconv>
#include <stdexcept>

namespace offgrid::fuzz {

std::int64_t Input::operator[](std::string_view parameter) const {
  for (std::size_t i = 0; i < target_.parameters.size(); ++i) {
    if (target_.parameters[i].name == parameter) return shape_[i];
  }
  throw std::invalid_argument("target " + target_.name + " has no parameter '" + std::string(parameter) + "'");
}

Shape Target::smallest() const {
  Shape shape;
  for (const Parameter& p : parameters) shape.push_back(p.min);
  return shape;
}

std::string Target::name_of(const Shape& shape) const {
  if (parameters.empty()) return name;
  std::string text = name + "(";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    text += (i ? "," : "") + parameters[i].name + "=" + std::to_string(shape[i]);
  }
  return text + ")";
}

Shape Target::parse_shape(std::string_view text) const {
  const auto wrong = [&](const std::string& why) {
    return std::invalid_argument("'" + std::string(text) + "' is no shape of target " + name + ": " + why);
  };
  Shape shape;
  std::string_view rest = text.substr(name.size());
  if (parameters.empty()) {
    if (!rest.empty()) throw wrong("it has no parameters");
    return shape;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    const std::string start = (i ? "," : "(") + p.name + "=";
    if (!rest.starts_with(start)) throw wrong("'" + start + "' is missing");
    rest.remove_prefix(start.size());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{}) throw wrong(p.name + " is no number");
    if (value < p.min || value > p.max) {
      throw wrong(p.name + " must be from " + std::to_string(p.min) + " to " + std::to_string(p.max));
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    shape.push_back(value);
  }
  if (rest != ")") throw wrong("it must end with ')' behind its " + std::to_string(parameters.size()) + " parameters");
  return shape;
}

cases::Outcome mismatch(const std::string& what) {
  cases::Outcome outcome;
  outcome.fail("  " + what + "\n");
  return outcome;
}

Targets& Targets::instance() {
  static Targets targets;
  return targets;
}

void Targets::add(Target target) {
  if (find(target.name)) throw std::invalid_argument("two fuzz targets are named " + target.name);
  if (!target.run) throw std::invalid_argument("fuzz target " + target.name + " has no run");
  for (const Parameter& p : target.parameters) {
    if (p.min > p.max) throw std::invalid_argument("fuzz target " + target.name + ": no value for " + p.name);
  }
  targets_.push_back(std::move(target));
}

const Target* Targets::find(std::string_view name) const {
  for (const Target& target : targets_) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

std::vector<const Target*> Targets::select(std::string_view pattern) const {
  const std::string glob =
      pattern.find_first_of("*?") == pattern.npos ? "*" + std::string(pattern) + "*" : std::string(pattern);
  std::vector<const Target*> chosen;
  for (const Target& target : targets_) {
    if (target.name == pattern) return {&target};
    if (fnmatch(glob.c_str(), target.name.c_str(), 0) == 0) chosen.push_back(&target);
  }
  return chosen;
}

void add_cases_as_targets(std::string_view pattern) {
  for (const cases::Case* one : cases::Registry::instance().select(pattern)) {
    Targets::instance().add({one->name, {}, [one](const Input&) { return one->run(); }, {}});
  }
}

}  // namespace offgrid::fuzz

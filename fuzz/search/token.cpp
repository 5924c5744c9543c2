// Tokens as text. See <offgrid/fuzz/token.h>.
#include <offgrid/fuzz/token.h>

#include <charconv>
#include <cstdio>

namespace offgrid::fuzz {
namespace {

constexpr std::string_view kVersion = "offgrid1";

std::string hex(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

std::string checksum(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hex(hash, 8);
}

[[noreturn]] void fail(const std::string& why) { throw TokenError("cannot replay this token: " + why); }

/// The next field, behind its `name=` where there is one.
std::string_view take_field(std::string_view& rest, std::string_view name) {
  const std::size_t end = rest.find(';');
  std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  if (name.empty()) return field;
  if (!field.starts_with(name)) fail("the field " + std::string(name) + " is missing");
  return field.substr(name.size());
}

void check_build(std::string_view build) {
  if (build == hex(build_id(), 16)) return;
  fail("it was made by another build (" + std::string(build) + "), and this program is " + hex(build_id(), 16) +
       "; build the sources that it was made with, or search again with `fuzz`");
}

}  // namespace

std::string to_token(const Trial& trial) {
  const std::string text = std::string(kVersion) + ";" + trial.target->name_of(trial.shape) +
                           ";input=" + std::to_string(trial.input_seed) + ";run=" + to_text(trial.schedule) +
                           ";build=" + hex(build_id(), 16);
  return text + ";sum=" + checksum(text);
}

Trial parse_token(std::string_view token) {
  if (!token.starts_with("offgrid")) fail("it does not begin with " + std::string(kVersion) + "; copy the whole line");
  const std::size_t sum = token.rfind(";sum=");
  if (sum == token.npos || token.substr(sum + 5) != checksum(token.substr(0, sum))) {
    fail("it is damaged: its checksum does not fit; copy it again, whole and in quotes");
  }
  std::string_view rest = token.substr(0, sum);
  const std::string_view version = take_field(rest, "");
  if (version != kVersion)
    fail("its version is " + std::string(version) + ", this program reads " + std::string(kVersion));
  // The name of a case may hold semicolons no more than a token does, but any of the other signs.
  const std::string_view name = take_field(rest, "");
  Trial trial;
  trial.target = Targets::instance().find(name);
  if (!trial.target) trial.target = Targets::instance().find(name.substr(0, name.find('(')));
  if (!trial.target) fail("this program has no target '" + std::string(name) + "'; `targets` lists those it has");
  try {
    trial.shape = trial.target->parse_shape(name);
    const std::string_view input = take_field(rest, "input=");
    const auto [end, error] = std::from_chars(input.data(), input.data() + input.size(), trial.input_seed);
    if (error != std::errc{} || end != input.data() + input.size()) fail("its input seed is no number");
    trial.schedule = parse_schedule(take_field(rest, "run="));
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  check_build(take_field(rest, "build="));
  return trial;
}

}  // namespace offgrid::fuzz

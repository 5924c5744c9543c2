/// A JSON Schema validator for the words that sarif_subset.schema.json uses.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>

namespace offgrid::test {

class SchemaCheck {
 public:
  explicit SchemaCheck(const nlohmann::json& schema) : root_(schema) {}

  /// Empty if `value` is valid, else "/path: what is wrong" for the first fault.
  std::string fault(const nlohmann::json& value) const { return fault(value, root_, ""); }

 private:
  using Json = nlohmann::json;

  std::string fault(const Json& value, const Json& schema, const std::string& path) const {
    for (const auto& [word, rule] : schema.items()) {
      if (const std::string text = fault_of_word(word, rule, value, schema, path); !text.empty()) return text;
    }
    return "";
  }

  std::string fault_of_word(const std::string& word, const Json& rule, const Json& value, const Json& schema,
                            const std::string& path) const {
    const auto bad_if = [&](bool bad) { return bad ? path + ": " + word + " " + rule.dump() : ""; };
    if (word == "$ref") return fault(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), path);
    if (word == "type") return bad_if(!has_type(value, rule));
    if (word == "enum") return bad_if(std::find(rule.begin(), rule.end(), value) == rule.end());
    if (word == "minimum") return bad_if(value < rule);
    if (word == "pattern") return bad_if(!std::regex_search(value.get<std::string>(), std::regex(rule)));
    if (word == "uniqueItems") return bad_if(!is_unique(value));
    if (word == "items")
      return first_fault(value, [&](const auto&, const Json& v, const auto& at) { return fault(v, rule, at); }, path);
    if (word == "required") {
      return bad_if(!std::all_of(rule.begin(), rule.end(), [&](const Json& name) { return value.contains(name); }));
    }
    if (word == "properties") {
      return first_fault(
          value,
          [&](const std::string& name, const Json& v, const auto& at) {
            return rule.contains(name) ? fault(v, rule[name], at) : "";
          },
          path);
    }
    if (word == "additionalProperties") {
      return first_fault(
          value,
          [&](const std::string& name, const Json& v, const auto& at) {
            if (schema.contains("properties") && schema["properties"].contains(name)) return std::string();
            return rule.is_object() ? fault(v, rule, at) : rule == true ? "" : at + ": not allowed";
          },
          path);
    }
    if (word == "$schema" || word == "title" || word == "definitions") return "";
    throw std::logic_error("the schema uses " + word);
  }

  template <class Check>
  static std::string first_fault(const Json& value, Check check, const std::string& path) {
    for (const auto& [name, member] : value.items()) {
      if (const std::string text = check(name, member, path + "/" + name); !text.empty()) return text;
    }
    return "";
  }

  static bool has_type(const Json& value, const std::string& type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
                               : type == "integer" && value.is_number_integer();
  }

  static bool is_unique(const Json& array) {
    for (std::size_t i = 0; i < array.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (array[i] == array[j]) return false;
      }
    }
    return true;
  }

  const Json& root_;
};

}  // namespace offgrid::test

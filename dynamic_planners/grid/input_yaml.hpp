#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <initializer_list>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "dynamic_planners/grid/input_error.hpp"

namespace dynamic_planners {

/// A value of a YAML file. It knows what it is called and where it is, so that the InputError that
/// its members throw can say so.
class YamlValue {
 public:
  /// The mapping that a file is.
  static YamlValue read_mapping(std::istream& input, std::size_t max_bytes,
                                const std::string& file);

  // --- a mapping ---

  bool has(const char* key) const { return node_[key].IsDefined(); }
  /// Throws where the key is missing.
  YamlValue operator[](const char* key) const;
  /// Throws where this is no mapping, or has another key than these.
  void expect_mapping_of(std::initializer_list<const char*> keys) const;

  // --- a list ---

  /// Throws where this is no list of so many.
  std::vector<YamlValue> items(std::size_t min, std::size_t max) const;

  // --- anything ---

  /// What this is, if it can be read as a T. No value at all is nothing, not even the text "null".
  template <typename T>
  std::optional<T> as() const {
    if (node_.IsNull()) return std::nullopt;
    try {
      return node_.as<T>();
    } catch (const YAML::Exception&) {
      return std::nullopt;
    }
  }

  /// What this is, which must be a T that passes the check.
  template <typename T, typename Check>
  T get(const std::string& expected, Check&& check) const {
    const auto value = as<T>();
    if (!value || !check(*value)) fail(expected);
    return *value;
  }

  /// "expected NAME to be …, found …"
  [[noreturn]] void fail(const std::string& expected) const;
  /// Anything else that is wrong here.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  YamlValue(std::string file, std::string name, std::size_t line, YAML::Node node)
      : file_(std::move(file)), name_(std::move(name)), line_(line), node_(std::move(node)) {}

  std::string file_;
  std::string name_;  // empty: the file
  std::size_t line_;  // of the key, where it has one
  YAML::Node node_;
};

}  // namespace dynamic_planners

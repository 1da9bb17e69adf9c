#include "dynamic_planners/grid/input_yaml.hpp"

#include <algorithm>
#include <utility>

#include "dynamic_planners/grid/input_text.hpp"

namespace dynamic_planners {
namespace {

std::string describe(const YAML::Node& node) {
  if (node.IsScalar()) return in_quotes(node.Scalar());
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a mapping";
  return "nothing";
}

std::size_t line_of(const YAML::Mark& mark) {
  return mark.is_null() ? 0 : static_cast<std::size_t>(mark.line) + 1;
}

}  // namespace

YamlValue YamlValue::read_mapping(std::istream& input, std::size_t max_bytes,
                                  const std::string& file) {
  const std::string text = read_bytes(input, max_bytes, file);
  try {
    const YAML::Node node = YAML::Load(text);
    if (!node.IsMap()) throw InputError(file, 0, "expected a mapping, found " + describe(node));
    return {file, "", 0, node};
  } catch (const YAML::Exception& error) {
    throw InputError(file, line_of(error.mark), "expected YAML, but: " + printable(error.msg));
  }
}

YamlValue YamlValue::operator[](const char* key) const {
  const std::string name = name_.empty() ? key : name_ + "." + key;
  const YAML::Node node = node_[key];
  if (!node.IsDefined()) throw InputError(file_, line_, "expected the key " + name);
  for (const auto& entry : node_) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key) {
      return {file_, name, line_of(entry.first.Mark()), node};
    }
  }
  return {file_, name, line_, node};
}

void YamlValue::expect_mapping_of(std::initializer_list<const char*> keys) const {
  if (!node_.IsMap()) fail("a mapping");
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const char* one : keys) known += std::string(known.empty() ? "" : ", ") + one;
    throw InputError(file_, line_of(entry.first.Mark()),
                     "expected one of the keys " + known + ", found " + describe(entry.first));
  }
}

std::vector<YamlValue> YamlValue::items(std::size_t min, std::size_t max) const {
  if (!node_.IsSequence() || node_.size() < min || node_.size() > max) {
    fail("a list of " + std::to_string(min) + " to " + std::to_string(max));
  }
  std::vector<YamlValue> items;
  for (const auto& item : node_) {
    const std::string name = name_ + "[" + std::to_string(items.size()) + "]";
    items.push_back(YamlValue(file_, name, line_of(item.Mark()), item));
  }
  return items;
}

void YamlValue::fail(const std::string& expected) const {
  refuse("expected " + name_ + " to be " + expected + ", found " + describe(node_));
}

void YamlValue::refuse(const std::string& what) const {
  throw InputError(file_, line_, what);
}

}  // namespace dynamic_planners

#pragma once

// Declaration of parameters. A struct of parameters declares its fields once, in the function fields().
// Heddle uses this function to read, check and write configurations, and to generate the JSON schema and
// docs/parameters.md.
//
//   struct BankParameters {
//     int banks = 16;
//     void fields(FieldVisitor& v) {
//       v.field("banks", banks, {1, 64}, "register banks of one partition");
//     }
//   };
//
// Names end in their unit (_cycles, _bytes, _mhz, _pj). Defaults are the member initialisers.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/config_node.h"

namespace heddle {

struct IntRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int32_t>::max();
};
struct RealRange {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};

/// Sizes of a resource such as operand collectors: one number for all kinds, such as 16, or one number for
/// each kind, such as {"sp": 6, "sfu": 8, "mem": 2}.
struct NumberByKind {
  std::vector<std::string> kinds;
  std::vector<int> values;
  bool by_kind() const { return values.size() > 1; }
  int total() const {
    int sum = 0;
    for (const int value : values) sum += value;
    return sum;
  }
};

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  virtual void field(const char* name, int& value, IntRange range, const char* doc) = 0;
  virtual void field(const char* name, std::uint64_t& value, IntRange range, const char* doc) = 0;
  virtual void field(const char* name, double& value, RealRange range, const char* doc) = 0;
  virtual void field(const char* name, bool& value, const char* doc) = 0;
  /// Declares a string field. `allowed`: the allowed texts; if empty, any text is allowed.
  virtual void field(const char* name, std::string& value, const std::vector<std::string>& allowed,
                     const char* doc) = 0;
  virtual void field(const char* name, std::vector<int>& value, IntRange each, const char* doc) = 0;
  virtual void field(const char* name, std::vector<std::string>& value, const char* doc) = 0;
  virtual void field(const char* name, NumberByKind& value, IntRange each, const char* doc) = 0;
  /// Declares a field that selects one of several implementations of an interface (`family`), for example a
  /// scheduler policy. Its value is a name, or an object {"type": name, parameters...}.
  virtual void choice(const char* name, ConfigNode& value, const char* family, const char* doc) = 0;
  /// Declares a field that is an ordered list of implementations, such as register-file stages or compiler
  /// passes.
  virtual void choices(const char* name, std::vector<ConfigNode>& value, const char* family,
                       const char* doc) = 0;

  /// Declares that the string field `name`, or each string of the list field `name`, may be the path of a
  /// file or folder. The field must be declared before this call.
  virtual void path(const char* /*name*/) {}

  /// Declares that `value`, the default of the field `name`, switches a part of the hardware off. While this
  /// part is off, the fields or groups in `without` have no effect. If several calls list the same field in
  /// `without`, that field has an effect as long as at least one of their parts is on. All fields that a call
  /// names must be declared before it.
  virtual void off(const char* /*name*/, const char* /*value*/,
                   const std::vector<std::string>& /*without*/ = {}) {}

  template <class Struct>
  void group(const char* name, Struct& value, const char* doc) {
    nested(name, doc, [&value](FieldVisitor& v) { value.fields(v); });
  }

 protected:
  virtual void nested(const char* name, const char* doc, const std::function<void(FieldVisitor&)>& visit) = 0;
};

/// Reads a configuration object into a struct of parameters. Fields without a key keep their defaults. Throws
/// Error for unknown keys, wrong types and values out of range; the error names file, line, key path and what
/// is allowed.
void read_fields_from(const ConfigNode& object, const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
void read_fields(const ConfigNode& object, Struct& into) {
  read_fields_from(object, [&into](FieldVisitor& v) { into.fields(v); });
}

ConfigNode dump_fields_of(const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
ConfigNode dump_fields(Struct& from) {
  return dump_fields_of([&from](FieldVisitor& v) { from.fields(v); });
}

/// Description of one parameter for `heddle list`, the documentation and the schema.
struct FieldInfo {
  std::string path;
  /// "integer", "number", "boolean", "string", "integer list", "string list", "choice of F" or "list of F",
  /// where F names an interface with several implementations.
  std::string type;
  std::string default_value;
  std::string range;
  std::string doc;
  std::string off = {};
  /// Paths of the fields that can switch this field off (FieldVisitor::off). This field has no effect if all
  /// fields in this list have the value that means off.
  std::vector<std::string> switches = {};
};
std::vector<FieldInfo> describe_fields_of(const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
std::vector<FieldInfo> describe_fields() {
  Struct defaults;
  return describe_fields_of([&defaults](FieldVisitor& v) { defaults.fields(v); });
}

}  // namespace heddle

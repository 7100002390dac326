#pragma once

// Parameter structs declare their fields once, in fields(). Reading, checking, dumping, the schema and the reference
// page all use this declaration.
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

/// One number for all kinds of a resource, or one number per kind: 16, or {"sp": 6, "sfu": 8, "mem": 2}.
struct NumberByKind {
  std::vector<std::string> kinds;
  std::vector<int> values;  ///< one value, or one per kind
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
  /// `allowed` empty: any text.
  virtual void field(const char* name, std::string& value, const std::vector<std::string>& allowed,
                     const char* doc) = 0;
  virtual void field(const char* name, std::vector<int>& value, IntRange each, const char* doc) = 0;
  virtual void field(const char* name, std::vector<std::string>& value, const char* doc) = 0;
  virtual void field(const char* name, NumberByKind& value, IntRange each, const char* doc) = 0;
  /// A part chosen from a family: a name, or {"type": name, parameters...}. The value is kept as a tree; the
  /// family's registry checks it (models/core/registry.h).
  virtual void choice(const char* name, ConfigNode& value, const char* family, const char* doc) = 0;
  /// An ordered list of parts (register-file stages, compiler passes, constraints).
  virtual void choices(const char* name, std::vector<ConfigNode>& value, const char* family,
                       const char* doc) = 0;

  /// States that the string field `name`, or each string of the list `name`, may be the path of a file or folder.
  /// Call after the declaration of the field.
  virtual void path(const char* /*name*/) {}

  /// Declares `value`, the default of field `name`, as the value for which the hardware of this field does
  /// not exist. The fields or groups `without` of the same struct have no effect while all fields that name
  /// them are off. Call after the declarations of these fields.
  virtual void off(const char* /*name*/, const char* /*value*/,
                   const std::vector<std::string>& /*without*/ = {}) {}

  /// A nested struct with its own fields().
  template <class Struct>
  void group(const char* name, Struct& value, const char* doc) {
    nested(name, doc, [&value](FieldVisitor& v) { value.fields(v); });
  }

 protected:
  virtual void nested(const char* name, const char* doc, const std::function<void(FieldVisitor&)>& visit) = 0;
};

/// Reads a configuration object into a struct. Missing keys keep their defaults. Unknown keys, wrong types
/// and values out of range throw Error with file, line, key path and what is allowed.
void read_fields_from(const ConfigNode& object, const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
void read_fields(const ConfigNode& object, Struct& into) {
  read_fields_from(object, [&into](FieldVisitor& v) { into.fields(v); });
}

/// Returns the effective values as a tree, for result.json and `rerun`.
ConfigNode dump_fields_of(const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
ConfigNode dump_fields(Struct& from) {
  return dump_fields_of([&from](FieldVisitor& v) { from.fields(v); });
}

/// One row of the parameter reference (`heddle list`, docs, schema).
struct FieldInfo {
  std::string path;  ///< "register_file.banks"
  /// "integer", "number", "boolean", "string", "integer list", "string list", "choice of F" or "list of F".
  std::string type;
  std::string default_value;
  std::string range;  ///< "1..64", "a | b | c", or empty
  std::string doc;
  std::string off = {};  ///< value for which the hardware does not exist; empty if there is none
  /// Paths of fields; while all of these are off, this field has no effect.
  std::vector<std::string> switches = {};
};
std::vector<FieldInfo> describe_fields_of(const std::function<void(FieldVisitor&)>& visit);

template <class Struct>
std::vector<FieldInfo> describe_fields() {
  Struct defaults;
  return describe_fields_of([&defaults](FieldVisitor& v) { defaults.fields(v); });
}

}  // namespace heddle

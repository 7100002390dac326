#pragma once

// Declares which keys an object in a file format may have. Heddle checks objects with these declarations, and makes
// the JSON Schema of the format from them (heddle schema).
//
//   const ObjectForm kSizeForm("experiment", "size", "a size", {{"kernels!", "names|kernel[]"}, {"launch", "text"}});
//   const ObjectReader in(node, kSizeForm);
//
// The name of a required key ends in "!". The type describes the value of a key:
//   text (not empty), path (of a file, not empty), string, integer, number, boolean, object, null, any
//   integer>=1, number>0   with an inclusive or exclusive lower bound
//   'exact'                this text, or this number
//   /^[a-z]+$/             a string that the expression matches
//   size                   another form of the format, or a named type (TypeForm)
//   X[]  X[2-3]  X[1-]     a list of X: of any length, of two to three items, of at least one item
//   X{}                    an object with values X and any keys
//   X|Y                    X or Y; (X|Y)[] is a list of both

#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle {

class ObjectForm;
class TypeForm;

struct FileForm {
  const ObjectForm* root = nullptr;
  std::map<std::string, const ObjectForm*> objects;
  std::map<std::string, const TypeForm*> types;
};
const std::map<std::string, FileForm>& file_forms();

class ObjectForm {
 public:
  struct Key {
    std::string name;
    std::string type;
    std::string doc{};
    bool required = false;
  };
  /// Groups of alternative keys. An object must contain exactly one key of each group.
  using OneOf = std::vector<std::vector<std::string>>;

  /// Declares the form (allowed keys) of an object. `name`: name by which types in this file format refer to
  /// the form; empty for the form of the whole file. `what`: the name with an article, such as "a size", for
  /// error messages.
  ObjectForm(const std::string& format, const std::string& name, std::string what, std::vector<Key> keys,
             OneOf one_of = {}, std::string doc = {});
  ObjectForm(const ObjectForm&) = delete;
  ObjectForm& operator=(const ObjectForm&) = delete;

  const std::string& what() const { return what_; }
  const std::string& doc() const { return doc_; }
  const std::vector<Key>& keys() const { return keys_; }
  const OneOf& one_of() const { return one_of_; }

  /// Throws Error if the node is no object, has an unknown key, or lacks a required key.
  void check(const ConfigNode& node) const;

 private:
  std::string what_, doc_;
  std::vector<Key> keys_;
  OneOf one_of_;
};

class TypeForm {
 public:
  TypeForm(const std::string& format, const std::string& name, std::string type, std::string doc = {});
  TypeForm(const TypeForm&) = delete;
  TypeForm& operator=(const TypeForm&) = delete;

  const std::string& type() const { return type_; }
  const std::string& doc() const { return doc_; }

 private:
  std::string type_, doc_;
};

}  // namespace heddle

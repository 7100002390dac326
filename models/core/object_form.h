#pragma once

// The keys of the objects of a file format: declared once, beside who reads the object, for its check and for the JSON
// Schema of the format (heddle schema).
//
//   const ObjectForm kSizeForm("experiment", "size", "a size", {{"kernels!", "names|kernel[]"}, {"launch", "text"}});
//   const ObjectReader in(node, kSizeForm);
//
// A key that has to be there ends in "!". What a key holds is said by a type:
//   text (not empty), string, integer, number, boolean, object, null, any
//   integer>=1, number>0   with its least value, or what it is above
//   'exact'                this text, or this number
//   /^[a-z]+$/             a string that the expression matches
//   size                   another form of the format, or a type that it names (TypeForm)
//   X[]  X[2-3]  X[1-]     a list of X, of two to three, of at least one
//   X{}                    an object of X by any name
//   X|Y                    one of them; (X|Y)[] a list of either

#include <map>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle {

class ObjectForm;
class TypeForm;

/// Contents of a format; forms register themselves.
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
  /// Exactly one of these groups of keys is present; the reader of the object checks it.
  using OneOf = std::vector<std::vector<std::string>>;

  /// `name`: in types of the format; empty for the whole file. `what`: with an article, for messages.
  ObjectForm(const std::string& format, const std::string& name, std::string what, std::vector<Key> keys,
             OneOf one_of = {}, std::string doc = {});
  ObjectForm(const ObjectForm&) = delete;
  ObjectForm& operator=(const ObjectForm&) = delete;

  const std::string& what() const { return what_; }
  const std::string& doc() const { return doc_; }
  const std::vector<Key>& keys() const { return keys_; }
  const OneOf& one_of() const { return one_of_; }

  /// Throws Error if the node is no object, has a key outside of the form, or lacks a required one.
  void check(const ConfigNode& node) const;

 private:
  std::string what_, doc_;
  std::vector<Key> keys_;
  OneOf one_of_;
};

/// A name for a type within a format.
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

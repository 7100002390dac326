#pragma once

// Families of interchangeable implementations, by name. An implementation registers itself in its own .cpp:
//
//   const Registration<SchedulerPolicy, Gto, GtoParameters> registered{"gto", "greedy, then oldest"};
//
// and is then listed, documented, configured and constructed by name everywhere. Family libraries are OBJECT
// libraries, so that no registration is dropped by the linker.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/fields.h"
#include "models/core/interfaces.h"
#include "models/core/unknown_name.h"

namespace heddle {

/// A part without parameters of its own.
struct NoParameters {
  void fields(FieldVisitor&) {}
};

/// The name in `"gto"` or `{"type": "gto", ...}`; throws Error for anything else.
std::string choice_name(const ConfigNode& choice);
/// The parameters of a choice: its object without "type" (empty object for a plain name).
ConfigNode choice_parameters(const ConfigNode& choice);

/// Properties of a part besides its parameters, for code that orders lists of parts or searches for a part
/// with a property (techniques). A kind is a name that several parts may share, and that others use like the
/// name of a type.
struct PartTraits {
  std::vector<std::string> kinds = {};
  /// Kinds and types of the same family: it stands nearer to the top of a list than those of `before`, and nearer to
  /// its end than those of `after`. A list runs from the collectors to the banks, from the first pass to the last.
  std::vector<std::string> before = {}, after = {};
  std::vector<std::string> properties = {};  ///< what holds of it: "announces-descheduling"
};

/// One part of a family, for lists and defaults.
struct PartInfo {
  std::string name, doc;
  std::vector<FieldInfo> parameters;
  PartTraits traits = {};
};

/// A family, whatever its interface is.
class Family {
 public:
  Family(const char* name, const char* place) : name_(name), place_(place) {}
  virtual ~Family() = default;
  const std::string& name() const { return name_; }    ///< "warp scheduler policy"
  const std::string& place() const { return place_; }  ///< key of the configuration: "gpu.sm.scheduler"
  virtual std::vector<PartInfo> parts() const = 0;     ///< by name

 private:
  std::string name_, place_;
};

/// Every family that has a part in this program, by its place in the configuration. A family enters by its first
/// registration.
class Families {
 public:
  static Families& instance();
  void add(const Family& family);
  const std::map<std::string, const Family*>& by_place() const { return by_place_; }
  /// nullptr if no part of such a family is registered.
  const Family* named(const std::string& name) const;

 private:
  std::map<std::string, const Family*> by_place_;
};

/// `Interface` names its constructor context as `using Context = ...` (passed by reference), its family name as
/// `static constexpr const char* kFamily` and its place in the configuration as `kPlace`.
template <class Interface>
class Registry : public Family {
 public:
  using Context = typename Interface::Context;
  struct Entry {
    std::string name;
    std::string doc;
    std::function<std::unique_ptr<Interface>(const ConfigNode& parameters, Context&)> make;
    std::function<std::vector<FieldInfo>()> describe;
    PartTraits traits = {};
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(Entry entry) {
    const std::string name = entry.name;
    if (!entries_.emplace(name, std::move(entry)).second)
      throw InternalError(std::string(Interface::kFamily) + " \"" + name + "\" is registered twice");
  }

  const Entry& find(const ConfigNode& choice) const {
    const auto it = entries_.find(choice_name(choice));
    if (it != entries_.end()) return it->second;
    std::vector<std::string> known;
    for (const auto& [name, entry] : entries_) known.push_back(name);
    throw unknown_name(choice.where(), Interface::kFamily, choice_name(choice), known);
  }

  std::unique_ptr<Interface> make(const ConfigNode& choice, Context& context) const {
    return find(choice).make(choice_parameters(choice), context);
  }

  const std::map<std::string, Entry>& entries() const { return entries_; }

  std::vector<PartInfo> parts() const override {
    std::vector<PartInfo> all;
    for (const auto& [name, entry] : entries_)
      all.push_back({name, entry.doc, entry.describe(), entry.traits});
    return all;
  }

 private:
  Registry() : Family(Interface::kFamily, Interface::kPlace) { Families::instance().add(*this); }

  std::map<std::string, Entry> entries_;
};

/// Implementation is constructed as `Implementation(const Parameters&, Interface::Context&)`.
template <class Interface, class Implementation, class Parameters = NoParameters>
struct Registration {
  Registration(const char* name, const char* doc, PartTraits traits = {}) {
    Registry<Interface>::instance().add(
        {name, doc,
         [](const ConfigNode& node, typename Interface::Context& context) -> std::unique_ptr<Interface> {
           Parameters parameters;
           read_fields(node, parameters);
           return std::make_unique<Implementation>(parameters, context);
         },
         [] { return describe_fields<Parameters>(); }, std::move(traits)});
  }
};

}  // namespace heddle

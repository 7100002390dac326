#pragma once

// Families of exchangeable implementations (parts) that are chosen by name. A part registers itself in its .cpp:
//
//   const Registration<SchedulerPolicy, Gto, GtoParameters> registered{"gto", "greedy, then oldest"};
//
// A registered part is listed, documented, configured and constructed by its name. Family libraries are OBJECT
// libraries, so that the linker drops no registration.

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

/// For parts without parameters.
struct NoParameters {
  void fields(FieldVisitor&) {}
};

/// Returns the name in `"gto"` or `{"type": "gto", ...}`. Throws Error for other nodes.
std::string choice_name(const ConfigNode& choice);
/// Returns the parameters of a choice: its object without "type"; an empty object for a plain name.
ConfigNode choice_parameters(const ConfigNode& choice);

/// Properties of a part besides its parameters, for code that orders lists of parts or searches for a part
/// with a property (techniques). A kind is a name that several parts may share. Rules may name a kind instead
/// of a type.
struct PartTraits {
  std::vector<std::string> kinds = {};
  /// Kinds and types of the same family that must come after this part (`before`) or before it (`after`) in a
  /// list. Lists run from the collectors to the banks, or from the first pass to the last.
  std::vector<std::string> before = {}, after = {};
  std::vector<std::string> properties = {};  ///< such as "announces-descheduling"
};

/// Description of one part of a family, for lists and defaults.
struct PartInfo {
  std::string name, doc;
  std::vector<FieldInfo> parameters;
  PartTraits traits = {};
};

/// A family, independent of its interface type.
class Family {
 public:
  Family(const char* name, const char* place) : name_(name), place_(place) {}
  virtual ~Family() = default;
  const std::string& name() const { return name_; }    ///< "warp scheduler policy"
  const std::string& place() const { return place_; }  ///< key of the configuration: "gpu.sm.scheduler"
  virtual std::vector<PartInfo> parts() const = 0;     ///< sorted by name

 private:
  std::string name_, place_;
};

/// All families that have a part in this program, by their place in the configuration. The first registration
/// of a part adds its family.
class Families {
 public:
  static Families& instance();
  void add(const Family& family);
  const std::map<std::string, const Family*>& by_place() const { return by_place_; }
  /// Returns the family by name; nullptr if no part of it is registered.
  const Family* named(const std::string& name) const;

 private:
  std::map<std::string, const Family*> by_place_;
};

/// `Interface` defines its constructor context as `using Context = ...` (passed by reference), its family
/// name as `static constexpr const char* kFamily`, and its place in the configuration as `kPlace`.
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

/// The implementation needs the constructor `Implementation(const Parameters&, Interface::Context&)`.
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

#pragma once

// Registry of families. A family is a set of exchangeable implementations, called parts, from which a
// configuration chooses by name. A part registers itself in its .cpp:
//
//   const Registration<SchedulerPolicy, Gto, GtoParameters> registered{"gto", "greedy, then oldest"};
//
// A registered part is listed, documented, configured and constructed by its name. Libraries with parts are
// OBJECT libraries, because the linker would drop the registrations from an archive.

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

/// Parameter struct of parts that have no parameters.
struct NoParameters {
  void fields(FieldVisitor&) {}
};

/// Returns the name of the chosen part, from `"gto"` or `{"type": "gto", ...}`. Throws Error for other nodes.
std::string choice_name(const ConfigNode& choice);
/// Returns the parameters of the chosen part: the members of its object without "type", or an empty object
/// for a plain name.
ConfigNode choice_parameters(const ConfigNode& choice);

/// Properties of a part besides its parameters. Code that orders lists of parts, or that searches for a part
/// with a certain property (techniques), uses them. A kind is a name that several parts may share. Rules may
/// name a kind instead of a single type.
struct PartTraits {
  std::vector<std::string> kinds = {};
  /// Kinds and types of the same family that must come after this part (`before`) or before this part
  /// (`after`) in a list. Lists run from the operand collectors to the banks, or from the first compiler pass
  /// to the last.
  std::vector<std::string> before = {}, after = {};
  std::vector<std::string> properties = {};  ///< names of properties, such as "announces-descheduling"
};

/// Description of one part of a family, for lists of parts and default parameters.
struct PartInfo {
  std::string name, doc;
  std::vector<FieldInfo> parameters;
  PartTraits traits = {};
};

/// A family of exchangeable parts, without the C++ type of their interface.
class Family {
 public:
  Family(const char* name, const char* place) : name_(name), place_(place) {}
  virtual ~Family() = default;
  /// Returns the name of the family, such as "warp scheduler policy".
  const std::string& name() const { return name_; }
  /// Returns the configuration key at which a part is chosen, such as "gpu.sm.scheduler".
  const std::string& place() const { return place_; }
  /// Returns the descriptions of all parts of the family, sorted by name.
  virtual std::vector<PartInfo> parts() const = 0;

 private:
  std::string name_, place_;
};

/// All families of this program by their configuration key. The first part of a family that is registered
/// adds the family.
class Families {
 public:
  static Families& instance();
  void add(const Family& family);
  const std::map<std::string, const Family*>& by_place() const { return by_place_; }
  /// Returns the family with this name, or nullptr if none of its parts is registered.
  const Family* named(const std::string& name) const;

 private:
  std::map<std::string, const Family*> by_place_;
};

/// Registry of the parts with the interface `Interface`. The interface must define the type of the argument
/// for constructors, `using Context = ...` (passed by reference). The interface must also define the family's
/// name, `static constexpr const char* kFamily`, and its configuration key `kPlace`.
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

/// Registers a part of a family. The part must have the constructor `Implementation(const Parameters&,
/// Interface::Context&)`.
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

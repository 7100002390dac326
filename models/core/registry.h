#pragma once

// Registry of exchangeable implementations. A family is an interface with several implementations, called
// parts. A configuration selects a part by its name. A part registers itself in its .cpp:
//
//   const Registration<SchedulerPolicy, Gto, GtoParameters> registered{"gto", "greedy, then oldest"};
//
// Heddle lists, documents, configures and constructs a registered part by its name. Libraries with parts are
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

struct NoParameters {
  void fields(FieldVisitor&) {}
};

/// Returns the name of the implementation that a configuration selects by `"gto"` or `{"type": "gto", ...}`.
/// Throws Error for other nodes.
std::string choice_name(const ConfigNode& choice);
/// Returns the parameters of a selected implementation: the members of the object without "type". For a plain
/// name, returns an empty object.
ConfigNode choice_parameters(const ConfigNode& choice);

/// Properties of a registered implementation that determine its position in lists of the configuration.
/// `kinds`: names of the groups of implementations to which it belongs.
struct PartTraits {
  std::vector<std::string> kinds = {};
  /// Kinds and names of other implementations. `before`: this implementation must stand before them in a
  /// list; `after`: it must stand after them. A list of stages begins at the operand collectors and ends at
  /// the banks; a list of compiler passes begins with the first pass.
  std::vector<std::string> before = {}, after = {};
  std::vector<std::string> properties = {};  ///< Names of properties, such as "announces-descheduling".
};

struct PartInfo {
  std::string name, doc;
  std::vector<FieldInfo> parameters;
  PartTraits traits = {};
};

/// A family (an interface with registered implementations), without its C++ type.
class Family {
 public:
  Family(const char* name, const char* place) : name_(name), place_(place) {}
  virtual ~Family() = default;
  const std::string& name() const { return name_; }
  /// Configuration key that selects an implementation of the family, such as "gpu.sm.scheduler".
  const std::string& place() const { return place_; }
  virtual std::vector<PartInfo> parts() const = 0;
  /// Returns the parameters of the implementation `part`; none if no implementation has this name.
  virtual std::vector<FieldInfo> parameters_of(const std::string& part) const = 0;

 private:
  std::string name_, place_;
};

class Families {
 public:
  static Families& instance();
  void add(const Family& family);
  const std::map<std::string, const Family*>& by_place() const { return by_place_; }
  /// Returns the family with this name, or nullptr if none of its implementations is registered.
  const Family* named(const std::string& name) const;

 private:
  std::map<std::string, const Family*> by_place_;
};

/// Registry of the implementations of `Interface`, which must define three names. kFamily: name of the
/// family, a static constexpr const char*. kPlace: the configuration key that selects an implementation.
/// Context: type of the implementations' constructor argument, which is passed by reference.
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
  std::vector<FieldInfo> parameters_of(const std::string& part) const override {
    const auto it = entries_.find(part);
    return it == entries_.end() ? std::vector<FieldInfo>{} : it->second.describe();
  }

 private:
  Registry() : Family(Interface::kFamily, Interface::kPlace) { Families::instance().add(*this); }

  std::map<std::string, Entry> entries_;
};

/// Registers an implementation, which must have the constructor `Implementation(const Parameters&,
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

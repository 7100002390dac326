#pragma once

// Registers SystemC modules as members of a family (parts that a configuration chooses by name). SystemC
// requires that the object with the module's name (sc_module_name) lives until the whole module is
// constructed. Therefore the registration holds this object.

#include <memory>
#include <systemc>

#include "models/core/registry.h"

namespace heddle {

/// Registers a SystemC module under a name of its family. The constructor must be `Implementation(const
/// sc_core::sc_module_name&, const Parameters&, Interface::Context&)`. The member `name` of the context
/// becomes the name of the module.
template <class Interface, class Implementation, class Parameters = NoParameters>
struct ModuleRegistration {
  ModuleRegistration(const char* name, const char* doc) {
    Registry<Interface>::instance().add(
        {name, doc,
         [](const ConfigNode& node, typename Interface::Context& context) -> std::unique_ptr<Interface> {
           Parameters parameters;
           read_fields(node, parameters);
           const sc_core::sc_module_name module_name(context.name.c_str());
           return std::make_unique<Implementation>(module_name, parameters, context);
         },
         [] { return describe_fields<Parameters>(); }});
  }
};

}  // namespace heddle

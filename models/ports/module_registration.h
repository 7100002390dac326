#pragma once

// Registers implementations that are SystemC modules. SystemC takes a module's name from an object that must
// live through the whole construction, sockets and children included. The registration holds this object.

#include <memory>
#include <systemc>

#include "models/core/registry.h"

namespace heddle {

/// Like Registration. The constructor must be `Implementation(const sc_core::sc_module_name&, const
/// Parameters&, Interface::Context&)`. The context's `name` names the module.
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

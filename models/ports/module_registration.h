#pragma once

// Registration of implementations that are SystemC modules. SystemC takes a module's name from an object that
// has to live through the whole construction, sockets and children included; the registration holds it.

#include <memory>
#include <systemc>

#include "models/core/registry.h"

namespace heddle {

/// As Registration; Implementation is constructed as `Implementation(const sc_core::sc_module_name&, const
/// Parameters&, Interface::Context&)`, and the context's `name` names the module.
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

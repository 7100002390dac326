#pragma once

// Loads plug-ins: shared objects that register further parts, such as schedulers and register-file stages.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object, which registers its parts. Throws Error if the object cannot be loaded, is already
/// loaded, or throws during loading. Also throws Error if the object was built with other headers, does not
/// state its headers, registers nothing, or registers an existing name. Some dynamic loaders do not pass on
/// an exception; the program then ends with the same error line and status 1.
void load_plugin(const std::string& path);

const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

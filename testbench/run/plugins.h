#pragma once

// Loads plug-ins: shared objects that register further schedulers, stages and other implementations.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object and registers its implementations. Throws Error if it was built with other headers
/// or does not state them, cannot be loaded or is already loaded, registers nothing or an existing name, or
/// throws during loading. If the dynamic loader does not pass on the exception, the program ends with the
/// same error line and status 1.
void load_plugin(const std::string& path);

const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

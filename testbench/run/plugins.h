#pragma once

// Loads plug-ins: shared objects that register further schedulers, stages and other implementations.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object and registers its implementations. Throws Error if it cannot be loaded, is already
/// loaded, or throws during loading. Also throws Error if it was built with other headers or does not state
/// them, or if it registers nothing or an existing name. If the dynamic loader does not pass on the
/// exception, the program ends with the same error line and status 1.
void load_plugin(const std::string& path);

const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

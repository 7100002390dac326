#pragma once

// Plug-ins: shared objects that register additional parts of the families.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object and registers its parts. Throws Error if it was built with other headers than this
/// program or does not name them, cannot be loaded, is already loaded, has no part or a part whose name
/// exists, or if its code throws during loading. If the loader blocks exceptions, the program ends here with
/// the same line and status 1.
void load_plugin(const std::string& path);

/// Returns the plug-ins in the order of loading.
const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

#pragma once

// Parts from outside of this program: shared objects whose registrations join the families.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object; its parts are there from now on. Throws Error for one that was built with other headers
/// than this program or does not say with which, that cannot be loaded, that is loaded already, that has no part or
/// one that is there already, or whose code throws while it is loaded. Where the loader lets no exception through, the
/// program ends here, with the same line and status 1.
void load_plugin(const std::string& path);

/// In the order of loading.
const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

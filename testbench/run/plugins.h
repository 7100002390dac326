#pragma once

// Parts from outside of this program: shared objects whose registrations join the families.

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object that was built against this program's headers. Throws Error with what the loader says.
/// Its parts are there from now on.
void load_plugin(const std::string& path);

/// In the order of loading.
const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

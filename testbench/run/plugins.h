#pragma once

// Loads plug-ins: shared objects that register further parts (schedulers, stages and others).

#include <string>
#include <vector>

namespace heddle::run {

struct Plugin {
  std::string path, hash;
};

/// Loads a shared object and registers its parts. Throws Error in these cases: the object was built with
/// other headers than this program, or does not state its headers; the object cannot be loaded, or is already
/// loaded; the object has no part, or has a part whose name exists; the object throws during loading. If the
/// dynamic loader does not pass on the exception, the program ends here with the same error line and status
/// 1.
void load_plugin(const std::string& path);

/// Returns the loaded plug-ins in the order of loading.
const std::vector<Plugin>& loaded_plugins();

}  // namespace heddle::run

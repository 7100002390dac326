#include "testbench/run/plugins.h"

#include <dlfcn.h>

#include <filesystem>

#include "models/core/error.h"
#include "testbench/run/new_file.h"

namespace heddle::run {
namespace {

std::vector<Plugin>& plugins() {
  static std::vector<Plugin> loaded;
  return loaded;
}

}  // namespace

void load_plugin(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec))
    throw Error("--plugin " + path, "there is no such file",
                "a shared object built against Heddle's headers");
  const std::string whole = std::filesystem::absolute(path).string();
  const std::string hash = hash_of_file(whole);
  try {
    // Every symbol now: what does not fit this program is an error here, and not in the middle of a run.
    if (!::dlopen(whole.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      const char* const reason = ::dlerror();
      throw Error("--plugin " + path, reason ? reason : "cannot be loaded");
    }
  } catch (const InternalError& error) {  // a registration that is there twice
    throw Error("--plugin " + path, error.what());
  }
  plugins().push_back({whole, hash});
}

const std::vector<Plugin>& loaded_plugins() { return plugins(); }

}  // namespace heddle::run

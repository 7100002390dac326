#include "testbench/run/plugins.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/core/registry.h"
#include "testbench/launch/new_file.h"
#include "testbench/run/shared_object.h"

#include "heddle_interfaces.h"  // written by CMake: a hash of all headers for plugins

namespace heddle::run {
namespace {

std::vector<Plugin>& plugins() {
  static std::vector<Plugin> loaded;
  return loaded;
}

std::size_t parts_of_all_families() {
  std::size_t parts = 0;
  for (const auto& [place, family] : Families::instance().by_place()) parts += family->parts().size();
  return parts;
}

void check_interfaces(const std::string& path, const std::string& where) {
  constexpr const char* kAllowed =
      "built with heddle::headers of find_package(heddle), from the headers of this program";
  const std::vector<std::string> all = interfaces_of(path, where);
  if (all.empty()) throw Error(where, "does not say which of Heddle's headers it was built with", kAllowed);
  for (const std::string& interfaces : all)
    if (interfaces != HEDDLE_INTERFACES)
      throw Error(
          where,
          fmt::format("was built with the headers {}, this program with {}", interfaces, HEDDLE_INTERFACES),
          kAllowed);
}

std::string present_exception() {
  try {
    if (!std::current_exception()) return "ends the program while it is loaded";
    throw;
  } catch (const InternalError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return fmt::format("throws while it is loaded: {}", error.what());
  } catch (...) {
    return "throws while it is loaded";
  }
}

// Handles exceptions that the dynamic loader does not pass on. While an object of this class exists, such an
// exception ends the program with an error line, not with abort().
class WhileLoading {
 public:
  explicit WhileLoading(const std::string& where) : handler_(std::set_terminate(refuse)) {
    WhileLoading::where() = where;
  }
  ~WhileLoading() { std::set_terminate(handler_); }
  WhileLoading(const WhileLoading&) = delete;
  WhileLoading& operator=(const WhileLoading&) = delete;

 private:
  static std::string& where() {
    static std::string text;
    return text;
  }
  [[noreturn]] static void refuse() {
    fmt::print(stderr, "error: {}: {}\n", where(), on_one_line(printable(present_exception())));
    std::_Exit(EXIT_FAILURE);
  }

  std::terminate_handler handler_;
};

// Loads the object and resolves all its symbols at once, so that a missing symbol is an error here and not
// during a run.
bool opens(const std::string& path, const std::string& where) {
  const WhileLoading loading(where);
  // Code that dlopen runs may throw. But dlopen is declared noexcept, so the compiler would drop the
  // exception handler. The call through a volatile pointer keeps the handler.
  void* (*volatile open)(const char*, int) = ::dlopen;
  try {
    return open(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
  } catch (...) {
    throw Error(where, present_exception());
  }
}

}  // namespace

void load_plugin(const std::string& path) {
  const std::string where = "--plugin " + path;
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec))
    throw Error(where, "there is no such file", "a shared object built against Heddle's headers");
  const std::string whole = std::filesystem::absolute(path).string();
  check_interfaces(whole, where);
  const std::string hash = launch::hash_of_file(whole);
  if (::dlopen(whole.c_str(), RTLD_NOW | RTLD_NOLOAD)) throw Error(where, "is loaded already");
  const std::size_t before = parts_of_all_families();
  if (!opens(whole, where)) {
    const char* const reason = ::dlerror();
    throw Error(where, reason ? reason : "cannot be loaded");
  }
  if (parts_of_all_families() == before) throw Error(where, "has no part of any family");
  plugins().push_back({whole, hash});
}

const std::vector<Plugin>& loaded_plugins() { return plugins(); }

}  // namespace heddle::run

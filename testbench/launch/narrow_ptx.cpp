#include "testbench/launch/narrow_ptx.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/command.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllowed = "launch, or a file of that name, compiled for addresses of 32 bits";

/// A kernel's folder, and the script for compiling kernels in its parent folder.
struct KernelFolder {
  fs::path folder, script;

  explicit KernelFolder(const fs::path& ptx)
      : folder(fs::absolute(ptx).lexically_normal().parent_path()),
        script(folder.parent_path() / "compile") {}

  bool can_compile(const fs::path& ptx) const {
    return ptx.filename() == "kernel.ptx" && fs::exists(folder / "kernel.cu") && fs::exists(script);
  }
  bool is_newer_than(const fs::path& made) const {
    const fs::file_time_type time = fs::last_write_time(made);
    if (fs::last_write_time(folder / "kernel.cu") > time) return true;
    for (const char* source : {"compile", "clang_flags", "shim.h", "textures.h"}) {
      const fs::path path = folder.parent_path() / source;
      if (fs::exists(path) && fs::last_write_time(path) > time) return true;
    }
    return false;
  }
};

/// A temporary folder, which is removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "heddle-narrow.XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(path_, std::error_code(errno, std::generic_category()).message());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void compile(const KernelFolder& kernel, const fs::path& narrow) {
  const std::string name = kernel.folder.filename().string();
  const TemporaryFolder folder;
  const CommandOutcome outcome =
      run_command({kernel.script.string(), "-m32", "--output", folder.path(), name});
  if (!outcome.ok())
    throw Error("address_size",
                fmt::format("there is no {}, and \"{} -m32 {}\" does not make it: {}", narrow.string(),
                            kernel.script.string(), name, printable(on_one_line(outcome.text))),
                "launch; 32-bit with clang-14, which scripts/setup installs");
  // Write to another name and rename: other runs may make the file at the same time, and must not read a part
  // of it.
  const std::string part = narrow.string() + fs::path(folder.path()).extension().string();
  std::error_code failure;
  fs::copy_file(fs::path(folder.path()) / (name + ".ptx"), part, failure);
  if (!failure) fs::rename(part, narrow, failure);
  if (failure)
    throw Error(narrow.string(), "cannot be written: " + failure.message(),
                "a folder that can be written to");
}

}  // namespace

std::string narrow_ptx(const std::string& ptx) {
  fs::path narrow(ptx);
  narrow.replace_filename(narrow.stem().string() + "32" + narrow.extension().string());
  const bool is_there = fs::exists(narrow);
  const KernelFolder kernel(ptx);
  if (kernel.can_compile(ptx)) {
    if (!is_there || kernel.is_newer_than(narrow)) compile(kernel, narrow);
  } else if (!is_there) {
    throw Error("address_size", fmt::format("there is no {}", narrow.string()), kAllowed);
  }
  return narrow.string();
}

}  // namespace heddle::launch

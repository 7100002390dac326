#include "testbench/launch/narrow_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/command.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/temporary_folder.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeal = "// made by Heddle: sources ";
constexpr const char* kAllowed = "launch, or a file of that name, compiled for addresses of 32 bits";

/// folder of a kernel, and the script that compiles kernels, which is in the parent folder
struct KernelFolder {
  fs::path folder, script;

  explicit KernelFolder(const fs::path& ptx)
      : folder(fs::absolute(ptx).lexically_normal().parent_path()),
        script(folder.parent_path() / "compile") {}

  bool can_compile(const fs::path& ptx) const {
    return ptx.filename() == "kernel.ptx" && fs::exists(folder / "kernel.cu") && fs::exists(script);
  }
  std::vector<fs::path> sources() const {
    std::vector<fs::path> all = {folder / "kernel.cu"};
    for (const char* source : {"compile", "clang_flags", "shim.h", "textures.h"})
      if (const fs::path path = folder.parent_path() / source; fs::exists(path)) all.push_back(path);
    return all;
  }
  bool is_newer_than(const fs::path& made) const {
    const fs::file_time_type time = fs::last_write_time(made);
    const std::vector<fs::path> all = sources();
    return std::any_of(all.begin(), all.end(),
                       [time](const fs::path& source) { return fs::last_write_time(source) > time; });
  }
  /// Returns the first line of a 32-bit PTX file. This line contains the hashes of the kernel's sources and
  /// of `text`, which is the rest of the file.
  std::string seal(const std::string& text) const {
    std::string hashes;
    for (const fs::path& source : sources()) hashes += hash_of_file(source.string());
    return fmt::format("{}{}, text {}\n", kSeal, hash_of_text(hashes), hash_of_text(text));
  }
};

/// Returns why an existing PTX file with 32-bit addresses cannot be used for this kernel's sources; empty if it
/// can. A file without the line kSeal (hashes of its sources) was made by hand, so its date is compared with
/// the dates of the sources.
std::string unfit(const KernelFolder& kernel, const fs::path& made) {
  if (!fs::is_regular_file(made)) return "not a file";
  const std::string whole = read_text_file(made.string(), "the PTX file");
  if (std::string_view(kSeal).starts_with(whole)) return "cut off";
  if (!whole.starts_with(kSeal)) return kernel.is_newer_than(made) ? "older than its sources" : "";
  const std::size_t begin = std::min(whole.find('\n'), whole.size() - 1) + 1;
  return whole.substr(0, begin) == kernel.seal(whole.substr(begin))
             ? ""
             : "not made from this kernel's sources, or changed";
}

void compile(const KernelFolder& kernel, const fs::path& narrow) {
  const std::string name = kernel.folder.filename().string();
  const TemporaryFolder folder("narrow");
  const CommandOutcome outcome =
      run_command({kernel.script.string(), "-m32", "--output", folder.path(), name});
  if (!outcome.ok())
    throw Error("address_size",
                fmt::format("there is no {}, and \"{} -m32 {}\" does not make it: {}", narrow.string(),
                            kernel.script.string(), name, printable(on_one_line(outcome.text))),
                "launch; 32-bit with clang-14, which scripts/setup installs");
  const std::string text = read_text_file(folder.path() + "/" + name + ".ptx", "the PTX file");
  remove_unless_file(narrow.string());
  write_text(narrow.string(), kernel.seal(text) + text);
}

}  // namespace

std::string narrow_ptx(const std::string& ptx) {
  fs::path narrow(ptx);
  narrow.replace_filename(narrow.stem().string() + "32" + narrow.extension().string());
  const bool is_there = fs::exists(narrow);
  const KernelFolder kernel(ptx);
  if (kernel.can_compile(ptx)) {
    const std::string why = is_there ? unfit(kernel, narrow) : "";
    if (!why.empty()) fmt::print(stderr, "warning: {}: {}; it is made again\n", narrow.string(), why);
    if (!is_there || !why.empty()) compile(kernel, narrow);
  } else if (!is_there) {
    throw Error("address_size", fmt::format("there is no {}", narrow.string()), kAllowed);
  }
  return narrow.string();
}

}  // namespace heddle::launch

// Checks that a run can be repeated with only the files in its pack.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/pack/launch_inputs.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/run/data_files.h"
#include "testbench/run/tree_path.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

class Check {
 public:
  explicit Check(const OpenedPack& pack)
      : pack_(pack),
        root_(fs::canonical(pack.folder()).string() + "/"),
        folder_(fs::path(pack.result()).parent_path().string()) {}

  void run() const {
    const ConfigNode result = parse_config_file(pack_.result());
    if (const ConfigNode* inputs = result.find("inputs"))
      for (const ConfigNode& input : inputs->items)
        if (const ConfigNode* file = input.find("file")) expect_inside(fs::path(folder_) / file->text);
    for (const char* key : {"technologies", "stand_back"})
      if (const ConfigNode* names = run::find_path(result, fmt::format("configuration.power.{}", key)))
        for (const ConfigNode& name : names->items)
          if (run::is_file_name(name.text)) expect_inside(fs::path(folder_) / name.text);
    const ConfigNode* store = run::find_path(result, "configuration.watch.untimed_store");
    if (store && !store->text.empty())
      throw Error(pack_.file(), fmt::format("its run would write into {}", printable(store->text)),
                  "an empty watch.untimed_store");
    const ConfigNode* launch = run::find_path(result, "configuration.launch");
    if (!launch || launch->text.empty()) return;
    const fs::path file = fs::path(folder_) / launch->text;
    expect_inside(file);
    for (const std::string& read : files_of_launch(file.string())) expect_inside(read);
  }

 private:
  // Throws Error if the file is outside of the pack. `file`: absolute, or relative to the folder of the pack.
  void expect_inside(const fs::path& file) const {
    const std::string path = file.lexically_normal().string();
    std::error_code ec;
    if (path.starts_with(root_) && fs::is_regular_file(path, ec)) return;
    std::string lacks;
    if (!pack_.list().lacks.empty())
      lacks = fmt::format("; it lacks {}", fmt::join(pack_.list().lacks, ", "));
    throw Error(pack_.file(),
                fmt::format("the pack does not hold {}, which its run reads{}", pack_.shown(path), lacks),
                "a pack with all inputs of its run");
  }

  const OpenedPack& pack_;
  std::string root_, folder_;
};

}  // namespace

void check_repeatable(const OpenedPack& pack) {
  if (pack.list().kind != Kind::run)
    throw Error(pack.file(),
                fmt::format("this is the pack of {} {}", pack.list().kind == Kind::program ? "a" : "an",
                            name_of(pack.list().kind)),
                "the pack of a run");
  Check(pack).run();
}

}  // namespace heddle::pack

// heddle unpack: writes the files of a pack into a folder.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "testbench/cli/commands.h"
#include "testbench/pack/opened_pack.h"

namespace heddle::cli {
namespace {

struct UnpackOptions {
  std::string pack, out;
  bool json = false;
};

int unpack_file(const UnpackOptions& options) {
  const pack::PackList list = pack::unpack(options.pack, options.out);
  const std::string result = fmt::format("{}/{}", options.out, list.result);
  if (options.json) {
    ConfigNode node = ConfigNode::make_object();
    node.members = {{"kind", ConfigNode::make_string(pack::name_of(list.kind))},
                    {"result", ConfigNode::make_string(result)},
                    {"heddle", ConfigNode::make_string(list.heddle)},
                    {"lacks", ConfigNode::make_texts(list.lacks)}};
    fmt::print("{}", to_json(node));
    return kSuccess;
  }
  for (const std::string& what : list.lacks) fmt::print(stderr, "warning: {} lacks {}\n", options.pack, what);
  fmt::print("{}: {} files of the {} in {}\n", options.pack, list.files.size(), pack::name_of(list.kind),
             result);
  return kSuccess;
}

}  // namespace

Action add_unpack(CLI::App& app) {
  auto options = std::make_shared<UnpackOptions>();
  app.add_option("pack", options->pack, "file of heddle pack")->required();
  app.add_option("-o,--out", options->out, "new or empty folder")->required();
  app.add_flag("--json", options->json, "print kind, result and version of the pack as JSON");
  return [options] { return unpack_file(*options); };
}

}  // namespace heddle::cli

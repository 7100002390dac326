// heddle pack: writes a result, and the files that its run has read, into one file.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/launch/new_file.h"
#include "testbench/pack/contents.h"

namespace heddle::cli {
namespace {

constexpr const char* kEnding = ".heddle";

struct PackOptions {
  std::string result, out;
  bool counters = false, quiet = false;
};

int pack_result(const PackOptions& options) {
  if (!options.out.ends_with(kEnding))
    throw Error("--out", fmt::format("\"{}\" is no name of a pack", options.out),
                "a name that ends in .heddle");
  pack::Contents contents = pack::contents_of(options.result, options.counters);
  std::vector<std::string> read = {options.result};
  for (const pack::Entry& entry : contents.entries) read.push_back(entry.source);
  launch::check_overwrites_no_input({options.out}, read, "--out");
  const pack::PackList list = pack::write_pack(options.out, std::move(contents));
  for (const std::string& what : list.lacks) fmt::print(stderr, "warning: {} lacks {}\n", options.out, what);
  if (options.quiet) return kSuccess;
  std::uint64_t bytes = 0;
  for (const pack::PackedFile& file : list.files) bytes += file.bytes;
  std::error_code device;  // error ignored: if --out is a device, it has no size
  const std::uintmax_t packed = std::filesystem::file_size(options.out, device);
  fmt::print("{}: the {} of {}, {} files, {}\n", options.out, pack::name_of(list.kind), options.result,
             list.files.size(),
             device ? fmt::format("{} bytes unpacked", bytes)
                    : fmt::format("{} bytes ({} unpacked)", packed, bytes));
  return kSuccess;
}

}  // namespace

Action add_pack(CLI::App& app) {
  auto options = std::make_shared<PackOptions>();
  app.add_option("result", options->result,
                 "result.json, program.json, or the folder of a run, a program or an experiment")
      ->required();
  app.add_option("-o,--out", options->out, "the new file, NAME.heddle")->required();
  app.add_flag("--counters", options->counters, "of an experiment: also the raw counters of each run");
  app.add_flag("-q,--quiet", options->quiet, "print no summary");
  return [options] { return pack_result(*options); };
}

}  // namespace heddle::cli

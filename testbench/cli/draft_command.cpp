// heddle draft: writes the beginning of a launch file for a kernel. The user fills in the missing values.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "models/ptx/module.h"
#include "testbench/cli/commands.h"
#include "testbench/launch/captured_launch.h"
#include "testbench/launch/draft.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/triton_metadata.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string file, kernel, out;
};

std::string path_from(const std::string& folder, const std::string& file) {
  std::error_code ec;
  const fs::path relative = fs::relative(file, folder.empty() ? "." : folder, ec);
  return ec || relative.empty() ? fs::absolute(file).string() : relative.string();
}

void put(const Options& options, const std::string& text) {
  if (options.out.empty()) {
    fmt::print("{}", text);
    return;
  }
  if (fs::exists(options.out)) throw Error("--out " + options.out, "this file exists", "a new file");
  launch::write_named(options.out, text);
}

void draft_capture(const Options& options) {
  const launch::CapturedLaunch captured(options.file);
  if (!options.kernel.empty())
    throw Error("--kernel", "a captured launch has one kernel", "--kernel with a PTX file");
  const auto& file = captured.file();
  const auto module = ptx::parse_module_file(file.ptx.front());
  const std::string folder = fs::path(options.out).parent_path().string();
  put(options, launch::draft_launch(*module, captured, path_from(folder, file.ptx.front()),
                                    path_from(folder, file.pages)));
}

bool is_of(const launch::TritonMetadata& metadata, const std::string& kernel) {
  return metadata.kernel.empty() || metadata.kernel == kernel;
}

int draft(Options options) {
  if (options.file.ends_with(".json")) {
    draft_capture(options);
    return kSuccess;
  }
  options.file = run::find_ptx(options.file);
  const auto module = ptx::parse_module_file(options.file);
  const auto& kernels = module->kernels();
  if (kernels.empty()) throw Error(options.file, "there is no kernel in this file");
  std::string names;
  for (const auto& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.plain;
  const auto metadata = launch::triton_metadata(options.file);
  if (metadata && options.kernel.empty() && kernels.size() > 1) options.kernel = metadata->kernel;
  if (options.kernel.empty() && kernels.size() > 1)
    throw Error("--kernel", fmt::format("{} kernels in {}", kernels.size(), options.file), names);
  const std::string kernel =
      options.kernel.empty() ? kernels.front().mangled : module->resolve_kernel(options.kernel);
  const std::string folder = fs::path(options.out).parent_path().string();
  put(options, launch::draft_launch(*module, kernel, path_from(folder, options.file),
                                    metadata && is_of(*metadata, kernel) ? &*metadata : nullptr));
  return kSuccess;
}

}  // namespace

Action add_draft(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("ptx", options->file, "PTX file, or the launch file of a capture")->required();
  app.add_option("--kernel", options->kernel, "kernel, by mangled or plain name");
  app.add_option("--out", options->out, "write to this new file instead of the terminal");
  return [options] { return draft(*options); };
}

}  // namespace heddle::cli

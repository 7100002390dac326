// heddle report: makes the HTML or Markdown page of a stored result or a pack.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/page_head.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/stored_report.h"
#include "testbench/pack/contents.h"
#include "testbench/pack/opened_pack.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string result, out = "report.html";
  bool markdown() const { return out.ends_with(".md"); }
};

void write_experiment(const std::string& folder, const ReportOptions& options) {
  const fs::path from = fs::path(folder) / (options.markdown() ? "report.md" : "report.html");
  if (!fs::exists(from))
    throw Error(options.result, fmt::format("the experiment wrote no {}", from.filename().string()),
                options.markdown() ? "the folder of an experiment that has ended"
                                   : "--out NAME.md, or heddle experiment --report");
  launch::check_overwrites_no_input({options.out}, {from.string()}, "--out");
  launch::write_named(options.out, read_text_file(from.string(), "the report of an experiment"));
  const fs::path pictures = fs::path(options.out).parent_path() / "figures";
  std::error_code ec;
  if (!options.markdown() || !fs::is_directory(fs::path(folder) / "figures", ec)) return;
  fs::create_directories(pictures, ec);
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "figures"))
    if (entry.path().extension() == ".svg")
      launch::write_text((pictures / entry.path().filename()).string(),
                         read_text_file(entry.path().string(), "a picture"));
}

int report(const ReportOptions& options) {
  if (!options.markdown() && !options.out.ends_with(".html"))
    throw Error("--out", fmt::format("\"{}\" is no name of a page", options.out), "NAME.html or NAME.md");
  std::optional<pack::OpenedPack> opened;
  if (pack::is_pack(options.result)) opened.emplace(options.result);
  const std::string result = opened ? opened->result() : options.result;
  if (opened ? opened->list().kind == pack::Kind::experiment : pack::is_experiment(result)) {
    write_experiment(result, options);
  } else {
    const std::string file = pack::result_file(result);
    launch::check_overwrites_no_input({options.out}, {file}, "--out");
    const std::string folder = fs::path(file).parent_path().string();
    const ConfigNode tree = parse_config_file(file);
    const output::StoredReport page =
        output::stored_report(tree, folder, options.result, why_text_of(tree, why::Places(tree, folder)));
    launch::write_named(options.out,
                        options.markdown() ? output::markdown_text_of(page) : output::html_text_of(page));
  }
  fmt::print("{}: the page of {}\n", options.out, options.result);
  return kSuccess;
}

}  // namespace

Action add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option("result", options->result,
                 "result.json, program.json, the folder of a run, a program or an experiment, or a pack")
      ->required();
  app.add_option("-o,--out", options->out, "the page, NAME.html or NAME.md")->capture_default_str();
  return [options] { return report(*options); };
}

}  // namespace heddle::cli

// Command line of the comparison with a GPU: heddle-on-gpu list | check UNIT --out FILE (README.md).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "tests/on_gpu/units.h"

namespace heddle::on_gpu {

namespace {

struct Options {
  std::string unit, out, record, replay, driver = "libcuda.so.1";
  UnitOptions unit_options;
};

void list() {
  const auto print = [](const char* kind, const std::vector<std::string>& names) {
    for (const std::string& name : names) std::cout << kind << ":" << name << "\n";
  };
  print("table", table_names());
  print("texture", texture_names());
  print("approximation", approximation_names());
  print("kernel", kernel_names());
  std::cout << "latencies:all\n";
}

boost::json::object check(Driver& gpu, const Options& options) {
  const std::size_t colon = options.unit.find(':');
  const std::string kind = options.unit.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : options.unit.substr(colon + 1);
  if (kind == "table") return check_table(gpu, name, options.unit_options);
  if (kind == "texture") return check_texture(gpu, name, options.unit_options);
  if (kind == "approximation") return check_approximation(gpu, name, options.unit_options);
  if (kind == "kernel") return check_kernel(gpu, name);
  if (kind == "latencies") return measure_latencies(gpu);
  throw std::runtime_error("unknown unit " + options.unit + "; `list` has them");
}

void write(const Options& options, const boost::json::object& result) {
  const std::string text = boost::json::serialize(result) + "\n";
  if (options.out.empty())
    std::cout << text;
  else
    std::ofstream(options.out) << text;
}

int run(const Options& options) {
  boost::json::object result{{"unit", options.unit}};
  int status = 0;
  try {
    Driver gpu = options.replay.empty() ? Driver(options.driver) : Driver(Driver::Replay{options.replay});
    if (!options.record.empty()) gpu.record(options.record);
    result["device"] = gpu.device_name();
    result["driver"] = gpu.version();
    for (auto& [key, value] : check(gpu, options)) result[key] = value;
  } catch (const std::exception& error) {
    result["error"] = error.what();
    status = 1;
  }
  write(options, result);
  return status;
}

}  // namespace
}  // namespace heddle::on_gpu

int main(int argc, char** argv) {
  using namespace heddle::on_gpu;
  CLI::App app("holds what Heddle computes against a GPU; run it in the project's folder");
  app.require_subcommand(1);
  Options options;
  app.add_subcommand("list", "the units, one a line");
  CLI::App* const check_command = app.add_subcommand("check", "one unit; its result is JSON");
  check_command->add_option("unit", options.unit)->required();
  check_command->add_option("--out", options.out, "file instead of the terminal");
  check_command->add_option("--driver", options.driver, "the library of the driver");
  check_command->add_option("--record", options.record, "file for what the GPU answers to rows and look-ups");
  check_command->add_option("--replay", options.replay,
                            "such a file in place of a GPU; other options as there");
  check_command->add_option("--rows", options.unit_options.rows, "inputs of one operation")
      ->check(CLI::Range(256, 1 << 24));
  check_command->add_option("--looks", options.unit_options.looks, "look-ups of one kind")
      ->check(CLI::Range(256, 1 << 24));
  CLI11_PARSE(app, argc, argv);
  if (*check_command) return run(options);
  list();
  return 0;
}

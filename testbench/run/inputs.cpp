#include "testbench/run/inputs.h"

#include "models/core/error.h"
#include "testbench/launch/narrow_ptx.h"
#include "testbench/launch/new_file.h"
#include "testbench/run/energy_setup.h"

namespace heddle::run {
namespace {

std::vector<std::string> paths_of(const launch::LaunchFile& launch,
                                  const std::vector<power::Technology>& technologies) {
  std::vector<std::string> paths = {launch.path};
  paths.insert(paths.end(), launch.ptx.begin(), launch.ptx.end());
  for (const auto& buffer : launch.buffers)
    if (buffer.source.kind == launch::DataSource::Kind::file) paths.push_back(buffer.source.file);
  for (const auto& symbol : launch.symbols)
    if (!symbol.source.file.empty()) paths.push_back(symbol.source.file);
  for (const power::Technology& technology : technologies)
    paths.insert(paths.end(), technology.files.begin(), technology.files.end());
  return paths;
}

}  // namespace

launch::LaunchFile launch_of(const RunParameters& parameters) {
  launch::LaunchFile file = launch::read_launch_file(parameters.launch);
  if (parameters.address_size == "launch") return file;
  for (std::string& name : file.ptx) name = launch::narrow_ptx(name);
  file.ptx_hash.clear();  // The hashes in the launch file are hashes of the 64-bit PTX, so they do not apply
                          // here.
  return file;
}

std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies) {
  std::vector<InputFile> inputs;
  for (const std::string& path : paths_of(launch, technologies))
    inputs.push_back({path, launch::hash_of_file(path)});
  return inputs;
}

std::vector<std::string> input_paths(const RunParameters& parameters) {
  launch::LaunchFile launch;
  if (!parameters.launch.empty()) launch = launch_of(parameters);
  std::vector<std::string> paths = paths_of(launch, read_technologies(parameters));
  paths.insert(paths.end(), parameters.read_from.begin(), parameters.read_from.end());
  std::erase(paths, "");
  return paths;
}

bool has_changed(const InputFile& input) {
  try {
    return launch::hash_of_file(input.path) != input.hash;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace heddle::run

#include "tests/heddle_cc/device_program.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "models/isa/address_size.h"
#include "models/reference/reference.h"

namespace heddle::device_test {

bool have_clang() {
  return std::system("command -v clang-14 >/dev/null || command -v clang >/dev/null") == 0;
}

std::string new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "heddle_cc_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no folder " + name);
  return name;
}

Compilation compile(const std::string& words, const std::string& folder) {
  const std::string command =
      "cd '" + folder + "' && " HEDDLE_SOURCE_FOLDER "/scripts/heddle-cc " + words + " >out.txt 2>&1";
  Compilation result;
  result.status = std::system(command.c_str());
  std::ifstream out(folder + "/out.txt");
  result.text.assign(std::istreambuf_iterator<char>(out), {});
  return result;
}

DeviceProgram::DeviceProgram(const std::string& source, const std::string& options) {
  const std::string folder = new_folder();
  const Compilation made =
      compile(options + " " HEDDLE_SOURCE_FOLDER "/tests/heddle_cc/" + source + " -o program.ptx", folder);
  std::ifstream in(folder + "/program.ptx");
  text_.assign(std::istreambuf_iterator<char>(in), {});
  std::filesystem::remove_all(folder);
  if (made.status != 0) throw std::runtime_error(source + " does not compile:\n" + made.text);
  module_ = ptx::parse_module(text_, source);
}

void DeviceProgram::run(const std::string& kernel, unsigned ctas, unsigned threads,
                        const std::vector<std::vector<std::uint8_t>*>& buffers) const {
  auto program = std::make_shared<isa::Program>(ptx::lower_kernel(*module_, module_->resolve_kernel(kernel)));
  isa::bind_lane_functions(*program);
  MemoryImage memory;
  for (const isa::ModuleVariable& variable : module_->variables()) {
    auto& place = memory.allocate_at(variable.name, variable.address, variable.bytes,
                                     variable.space == isa::Space::constant);
    std::copy(variable.initial.begin(), variable.initial.end(), place.data.begin());
  }
  isa::KernelLaunch launch;
  launch.grid = {ctas, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters.resize(program->parameter_bytes);
  const std::size_t pointer_bytes = static_cast<std::size_t>(module_->address_bits()) / 8;
  std::vector<std::uint64_t> addresses;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    addresses.push_back(isa::address_layout(module_->address_bits()).buffers + b * 0x100'0000);
    auto& place = memory.allocate_at("buffer " + std::to_string(b), addresses[b], buffers[b]->size());
    std::copy(buffers[b]->begin(), buffers[b]->end(), place.data.begin());
    const isa::KernelParameter& parameter = program->parameters.at(b);
    for (std::size_t i = 0; i < pointer_bytes; ++i)
      launch.parameters.at(parameter.offset + i) = static_cast<std::uint8_t>(addresses[b] >> (8 * i));
  }
  launch.program = std::move(program);
  reference::run_reference(launch, memory);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    std::memcpy(buffers[b]->data(), memory.at(addresses[b], buffers[b]->size(), "test"), buffers[b]->size());
}

}  // namespace heddle::device_test

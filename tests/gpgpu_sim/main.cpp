// Runs a launch file on GPGPU-Sim and compares its outputs with Heddle's untimed reference (README.md).
//
//     heddle-gpgpusim LAUNCH.json [KERNEL REGISTERS]...

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "models/isa/address_map.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/reference_executor.h"
#include "tests/gpgpu_sim/simulator.h"

namespace heddle::correlation {

namespace {

constexpr std::uint64_t kHeap =
    0xC0000000;  // GLOBAL_HEAP_START of GPGPU-Sim, gpu.memory.buffer_base of the preset

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Removes sections (debug information) from PTX, because GPGPU-Sim's parser cannot read them.
std::string without_sections(std::string ptx) {
  for (std::size_t at = 0; (at = ptx.find("\t.section", at)) != std::string::npos;)
    ptx.erase(at, ptx.find('}', at) + 1 - at);
  return ptx;
}

class Executor : public launch::LaunchExecutor {
 public:
  Executor(Simulator& simulator, std::map<std::string, unsigned> registers)
      : simulator_(simulator), registers_(std::move(registers)) {}

  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    for (const auto& allocation : memory.allocations()) send(*allocation);
    Launch to;
    to.kernel = launch.program->kernel;
    const isa::Dim3 &grid = launch.grid, &block = launch.block;
    std::copy_n(std::array{grid.x, grid.y, grid.z}.begin(), 3, to.grid);
    std::copy_n(std::array{block.x, block.y, block.z}.begin(), 3, to.block);
    if (const auto known = registers_.find(to.kernel); known != registers_.end())
      to.registers = known->second;
    to.shared_bytes = launch.shared_bytes();
    std::vector<std::uint8_t> block_of_parameters = launch.parameters;
    block_of_parameters.resize(block_of_parameters.size() + sizeof(std::uint64_t));
    for (const isa::KernelParameter& p : launch.program->parameters)
      to.parameters.push_back({block_of_parameters.data() + p.offset, p.bytes, p.offset});
    cycles.emplace_back(simulator_.launch(to));
    for (const auto& allocation : memory.allocations()) fetch(*allocation);
  }

  boost::json::array cycles;

 private:
  static bool is_buffer(const MemoryImage::Allocation& allocation) {
    return allocation.base >= kHeap && allocation.base < isa::kModuleGlobals;
  }

  // Sends an allocation's memory to the simulator. A buffer of zeros counts as set by the device, so the
  // function does not put this buffer into the L2.
  void send(const MemoryImage::Allocation& allocation) {
    std::vector<std::uint8_t>& last = last_[allocation.base];
    if (last.size() == allocation.bytes && std::ranges::equal(last, allocation.data)) return;
    last.assign(allocation.data.begin(), allocation.data.end());
    const bool zeros = std::ranges::all_of(last, [](std::uint8_t byte) { return byte == 0; });
    if (is_buffer(allocation))
      simulator_.write(allocation.base, last.data(), last.size(), !zeros);
    else
      simulator_.write_variable(allocation.name, last.data(), last.size());
  }

  void fetch(MemoryImage::Allocation& allocation) {
    std::vector<std::uint8_t>& last = last_[allocation.base];
    if (is_buffer(allocation))
      simulator_.read(allocation.base, last.data(), last.size());
    else if (!simulator_.read_variable(allocation.name, last.data(), last.size()))
      return;
    std::ranges::copy(last, allocation.data.begin());
  }

  Simulator& simulator_;
  std::map<std::string, unsigned> registers_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> last_;  ///< contents on the simulator, by address
};

// Counts elements that differ. Differences are no error, because the simulator rounds approximations and
// fused operations in its own way.
boost::json::object compared(const launch::BufferView& ours, const launch::BufferView& theirs) {
  std::size_t differing = 0;
  double largest = 0;
  const std::size_t bytes = launch::bytes_of(ours.type);
  for (std::size_t at = 0; at < ours.data.size(); at += bytes) {
    if (std::memcmp(ours.data.data() + at, theirs.data.data() + at, bytes) == 0) continue;
    ++differing;
    const double x = launch::element_as_real(ours.type, ours.data.data() + at);
    const double y = launch::element_as_real(theirs.type, theirs.data.data() + at);
    largest = std::max(largest, std::abs(x - y) / std::max(1e-30, std::abs(x)));
  }
  return {{"elements", ours.count()}, {"differing", differing}, {"largest_relative_error", largest}};
}

int run(int argc, char** argv) {
  const launch::LaunchFile file = launch::read_launch_file(argv[1]);
  std::map<std::string, unsigned> registers;
  for (int i = 2; i + 1 < argc; i += 2) registers[argv[i]] = static_cast<unsigned>(std::atoi(argv[i + 1]));
  launch::PtxPrograms our_programs(file), their_programs(file);
  MemoryImage our_memory, their_memory;
  launch::LaunchRun ours(file, our_programs, our_memory, kHeap, false);
  launch::LaunchRun theirs(file, their_programs, their_memory, kHeap, false);
  ours.prepare();
  theirs.prepare();
  launch::ReferenceExecutor reference;
  ours.run(reference);
  std::string ptx;
  for (const std::string& path : file.ptx) ptx += text_of(path);
  Simulator simulator(without_sections(ptx));
  Executor executor(simulator, registers);
  theirs.run(executor);
  boost::json::object outputs;
  const std::vector<launch::BufferView> a = ours.outputs(), b = theirs.outputs();
  for (std::size_t i = 0; i < a.size(); ++i) outputs[a[i].name] = compared(a[i], b[i]);
  std::cout << "\nheddle-gpgpusim: "
            << boost::json::serialize(boost::json::object{{"cycles", executor.cycles}, {"outputs", outputs}})
            << std::endl;
  return 0;
}

}  // namespace
}  // namespace heddle::correlation

int main(int argc, char** argv) {
  // End without destructors: GPGPU-Sim's threads and global objects are destroyed in an order that leads to a
  // crash.
  std::_Exit(heddle::correlation::run(argc, argv));
}

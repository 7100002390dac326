#include "testbench/launch/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/address_size.h"
#include "models/ptx/module.h"
#include "testbench/launch/printed.h"
#include "testbench/launch/program_provider.h"

namespace heddle {
namespace {

constexpr std::uint64_t kAlignment = 4096;
constexpr std::uint64_t kSharedAlign = 16;
constexpr std::uint64_t kDefaultEndless = 500'000'000;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

struct Reference::State {
  explicit State(std::shared_ptr<const ptx::Module> parsed) : module(std::move(parsed)), programs(module) {
    programs.keep_calls();
    options.endless_after = kDefaultEndless;
    next = isa::address_layout(programs.address_bits()).buffers;
    for (const isa::ModuleVariable& v : programs.variables()) {
      auto& place = memory.allocate_at(v.name, v.address, v.bytes, v.space == isa::Space::constant);
      std::copy(v.initial.begin(), v.initial.end(), place.data.begin());
    }
  }

  std::vector<std::uint8_t> parameters(isa::KernelLaunch& launch, std::span<const Argument> arguments) const;
  std::vector<std::uint8_t> encode(const isa::KernelParameter& parameter, const Argument& argument,
                                   isa::KernelLaunch& launch) const;

  std::shared_ptr<const ptx::Module> module;
  launch::PtxPrograms programs;
  MemoryImage memory;
  reference::ReferenceOptions options;
  launch::Printed printed;
  std::uint64_t next = 0;
  std::uint64_t allocations = 0;
  std::uint32_t launches = 0;
};

std::vector<std::uint8_t> Reference::State::encode(const isa::KernelParameter& parameter,
                                                   const Argument& argument,
                                                   isa::KernelLaunch& launch) const {
  const std::string where = fmt::format("parameter {} of kernel {}", parameter.name, launch.program->kernel);
  if (argument.kind_ == Argument::Kind::bytes) {
    if (argument.bytes_.size() != parameter.bytes)
      throw Error(where, fmt::format("an argument of {} bytes", argument.bytes_.size()),
                  fmt::format("{} bytes", parameter.bytes));
    return argument.bytes_;
  }
  std::uint64_t value = argument.integer_;
  if (argument.kind_ == Argument::Kind::shared) {
    const std::uint64_t begin = round_up(launch.dynamic_shared_bytes, kSharedAlign);
    if (begin + value > isa::kWindowBytes / 2)
      throw Error(where, fmt::format("{} bytes of shared memory", value),
                  fmt::format("up to {}", isa::kWindowBytes / 2 - begin));
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(begin + value);
    value = isa::kSharedWindow + round_up(launch.program->shared_bytes, kSharedAlign) + begin;
  }
  if (isa::is_float(parameter.type) || parameter.bytes > sizeof value)
    throw Error(where, "an integer", fmt::format("a value of {} bytes", parameter.bytes));
  const unsigned bits = 8 * parameter.bytes;
  const std::uint64_t sign = argument.negative_ ? ~value >> (bits - 1) : bits < 64 ? value >> bits : 0;
  if (sign != 0) throw Error(where, fmt::format("the integer does not fit its {} bytes", parameter.bytes));
  std::vector<std::uint8_t> bytes(parameter.bytes);
  std::memcpy(bytes.data(), &value, bytes.size());
  return bytes;
}

std::vector<std::uint8_t> Reference::State::parameters(isa::KernelLaunch& launch,
                                                       std::span<const Argument> arguments) const {
  const isa::Program& program = *launch.program;
  if (arguments.size() != program.parameters.size())
    throw Error(program.file, fmt::format("{} arguments for kernel {}", arguments.size(), program.kernel),
                std::to_string(program.parameters.size()));
  std::vector<std::uint8_t> block(program.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::vector<std::uint8_t> bytes = encode(program.parameters[i], arguments[i], launch);
    std::copy(bytes.begin(), bytes.end(), block.begin() + program.parameters[i].offset);
  }
  return block;
}

Reference::Reference(std::string_view ptx, const std::string& name)
    : state_(std::make_unique<State>(ptx::parse_module(ptx, name))) {}
Reference::~Reference() = default;

DeviceAddress Reference::allocate(std::uint64_t bytes) {
  if (bytes == 0) throw Error("allocate", "no bytes", "1 and more");
  State& s = *state_;
  const std::uint64_t address = s.next;
  const std::uint64_t end = isa::address_layout(s.programs.address_bits()).end;
  if (bytes > end - address || end - address - bytes < 2 * kAlignment)
    throw Error("allocate", fmt::format("no room for {} bytes", bytes));
  s.memory.allocate_at(fmt::format("allocation {}", s.allocations++), address, bytes);
  s.next = round_up(address + bytes + isa::kAllocationGap, kAlignment);
  return {address};
}

void Reference::write(DeviceAddress to, const void* from, std::uint64_t bytes) {
  if (bytes) std::memcpy(state_->memory.at(to.value, bytes, "write"), from, bytes);
}

void Reference::read(DeviceAddress from, void* to, std::uint64_t bytes) const {
  if (bytes) std::memcpy(to, state_->memory.at(from.value, bytes, "read"), bytes);
}

DeviceAddress Reference::variable(const std::string& name) const {
  std::string known;
  for (const isa::ModuleVariable& v : state_->programs.variables()) {
    if (v.name == name) return {v.address};
    known += (known.empty() ? "" : ", ") + v.name;
  }
  throw Error("variable", "no variable \"" + name + "\" in the module",
              known.empty() ? "the module has none" : known);
}

reference::ReferenceResult Reference::launch(const std::string& kernel, const Shape& shape,
                                             std::initializer_list<Argument> arguments) {
  State& s = *state_;
  isa::KernelLaunch launch;
  launch.program = s.programs.program(kernel);
  launch.id = KernelId{s.launches};
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared_bytes = shape.shared_bytes;
  launch.cooperative = shape.cooperative;
  launch.parameters = s.parameters(launch, {arguments.begin(), arguments.size()});
  const reference::ReferenceResult result = reference::run_reference(launch, s.memory, s.options);
  for (const isa::ModuleVariable& v : s.programs.variables())
    if (v.name == isa::kPrintfBuffer) launch::read_printed(v, launch, s.memory, s.printed);
  ++s.launches;
  return result;
}

reference::ReferenceOptions& Reference::options() { return state_->options; }

std::string Reference::take_printed() {
  const std::string text = state_->printed.text();
  state_->printed = {};
  return text;
}

}  // namespace heddle

// libsystemc needs a function sc_main. A program that uses only the reference defines no sc_main, so the linker takes
// this function.
extern "C" [[gnu::weak]] int sc_main(int, char**) { return 1; }

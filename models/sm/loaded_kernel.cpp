#include "models/sm/loaded_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "models/core/error.h"

namespace heddle {

namespace {

isa::KernelLaunch with_program(isa::KernelLaunch launch, std::shared_ptr<const isa::Program> program) {
  launch.program = std::move(program);
  return launch;
}

}  // namespace

std::shared_ptr<const LoadedKernel> LoadedKernel::load(const std::shared_ptr<const LoadedKernel>& like,
                                                       const isa::KernelLaunch& launch,
                                                       std::shared_ptr<const isa::Program> loaded,
                                                       isa::ThreadProgress progress) {
  if (like && &like->program() == loaded.get()) return like;
  return std::make_shared<const LoadedKernel>(launch, std::move(loaded), progress);
}

LoadedKernel::LoadedKernel(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> loaded,
                           isa::ThreadProgress progress)
    : launch_(with_program(launch, std::move(loaded))),
      own_(launch.program->code.size()),
      footprints_(footprints_of(*launch_.program)),
      constants_(launch_.program->code.size()) {
  const isa::Program& program = *launch_.program;
  if (!program.architected)
    throw Error(program.file, fmt::format("kernel {} has not been allocated to registers", program.kernel),
                "a compiled program");
  if (launch.parameters.size() < program.parameter_bytes)
    throw Error(program.file, fmt::format("kernel {} needs {} bytes of parameters, the launch has {}",
                                          program.kernel, program.parameter_bytes, launch.parameters.size()));
  if (own_ == program.code.size() && isa::has_thread_progress(program, progress)) {
    waits_ = isa::waiting_branches(program);
    for (const isa::Instruction& i : program.code) meets_.push_back(isa::meets_lanes(i));
  }
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    for (std::size_t slot = 0; slot < instruction.num_src; ++slot) {
      const isa::Operand& operand = instruction.src[slot];
      std::uint64_t value = operand.value;
      if (operand.kind == isa::Operand::Kind::param)
        value = parameter(operand);
      else if (operand.kind != isa::Operand::Kind::immediate)
        continue;
      if (operand.bits < 64) value &= (std::uint64_t{1} << operand.bits) - 1;
      constants_[pc][slot] = {broadcast(static_cast<std::uint32_t>(value)),
                              broadcast(static_cast<std::uint32_t>(value >> 32))};
    }
  }
}

const LaneVec* LoadedKernel::broadcast(std::uint32_t word) {
  const LaneVec*& known = by_value_[word];
  if (!known) {
    storage_.emplace_back().fill(word);
    known = &storage_.back();
  }
  return known;
}

std::uint64_t LoadedKernel::parameter(const isa::Operand& operand) const {
  const std::size_t bytes = operand.bits / 8u;
  if (operand.value + bytes > launch_.parameters.size())
    throw Error(launch_.program->file,
                fmt::format("kernel {} reads {} bytes at {} of {} bytes of parameters",
                            launch_.program->kernel, bytes, operand.value, launch_.parameters.size()));
  std::uint64_t value = 0;
  std::memcpy(&value, launch_.parameters.data() + operand.value, bytes);
  return value;
}

}  // namespace heddle

#pragma once

// Builds programs instruction by instruction, for tests of the untimed reference.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/address_map.h"
#include "models/isa/launch.h"
#include "models/reference/reference.h"

namespace heddle::reference::testing {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;

inline Operand r(std::uint32_t index, int bits = 32) { return Operand::make_reg(RegId(index), bits); }
inline Operand p(std::uint32_t index, bool negated = false) {
  return Operand::make_pred(PredId(index), negated);
}
inline Operand imm(std::uint64_t value, int bits = 32) { return Operand::make_immediate(value, bits); }
inline Operand special(SpecialRegister s) { return Operand::make_special(s, 32); }

class ProgramBuilder {
 public:
  ProgramBuilder() {
    program_.kernel = "test_kernel";
    program_.file = "test.ptx";
    program_.registers = 32;
    program_.predicates = 8;
  }

  Instruction& add(Opcode op, DataType type, std::vector<Operand> dst, std::vector<Operand> src) {
    Instruction i;
    i.op = op;
    i.type = i.source_type = type;
    for (const auto& o : dst) i.add_dst(o);
    for (const auto& o : src) i.add_src(o);
    isa::classify(i);
    i.location.ptx_line = static_cast<std::uint32_t>(program_.code.size()) + 1;
    i.location.ptx_column = 1;
    program_.code.push_back(i);
    return program_.code.back();
  }
  void mov(Operand d, Operand a) { add(Opcode::mov, DataType::b32, {d}, {a}); }
  void add_u32(Operand d, Operand a, Operand b) { add(Opcode::add, DataType::u32, {d}, {a, b}); }
  void shl(Operand d, Operand a, std::uint32_t by) { add(Opcode::shl, DataType::b32, {d}, {a, imm(by)}); }
  void setp(isa::Compare compare, Operand d, Operand a, Operand b, DataType type = DataType::u32) {
    add(Opcode::setp, type, {d}, {a, b}).modifiers.compare = compare;
  }
  void address(std::uint32_t pair, std::uint64_t base, Operand index, std::uint32_t scale) {
    add(Opcode::mad, DataType::u32, {r(pair, 64)}, {index, imm(scale), imm(base, 64)}).modifiers.part =
        isa::Part::wide;
  }
  Instruction& load(DataType type, std::vector<Operand> dst, Operand address, isa::Space space,
                    std::int64_t offset = 0) {
    const auto elements = dst.size();
    Instruction& i = add(Opcode::ld, type, std::move(dst), {address});
    set_memory(i, space, elements, offset);
    return i;
  }
  Instruction& store(DataType type, Operand address, std::vector<Operand> values, isa::Space space,
                     std::int64_t offset = 0) {
    const auto elements = values.size();
    values.insert(values.begin(), address);
    Instruction& i = add(Opcode::st, type, {}, std::move(values));
    set_memory(i, space, elements, offset);
    return i;
  }
  Instruction& atomic(isa::AtomicOp op, DataType type, Operand d, Operand address,
                      std::vector<Operand> values, isa::Space space) {
    values.insert(values.begin(), address);
    Instruction& i = add(Opcode::atom, type, {d}, std::move(values));
    i.modifiers.atomic = op;
    set_memory(i, space, 1, 0);
    return i;
  }
  Instruction& barrier(isa::BarrierKind kind, Operand number, Operand threads, std::vector<Operand> dst = {},
                       std::vector<Operand> predicate = {}) {
    std::vector<Operand> src{number, threads};
    src.insert(src.end(), predicate.begin(), predicate.end());
    Instruction& i = add(Opcode::bar, DataType::none, std::move(dst), std::move(src));
    i.barrier = kind;
    return i;
  }
  void sync() { barrier(isa::BarrierKind::sync, imm(0), imm(0)); }
  Instruction& exit() { return add(Opcode::exit, DataType::none, {}, {}); }
  Instruction& branch(const std::string& label) {
    Instruction& i = add(Opcode::bra, DataType::none, {}, {});
    fixups_.emplace_back(program_.code.size() - 1, label);
    return i;
  }
  Instruction& branch_if(Operand predicate, const std::string& label) {
    return guard(branch(label), predicate);
  }
  static Instruction& guard(Instruction& i, Operand predicate) {
    i.guard = {true, predicate.negated, predicate.pred};
    return i;
  }
  void label(const std::string& name) { labels_[name] = static_cast<std::int32_t>(program_.code.size()); }

  isa::Program& program() { return program_; }
  isa::Program build() {
    for (const auto& [index, name] : fixups_) program_.code[index].target = labels_.at(name);
    return program_;
  }

 private:
  static void set_memory(Instruction& i, isa::Space space, std::size_t elements, std::int64_t offset) {
    i.memory.space = space;
    i.memory.element_bytes = static_cast<std::uint8_t>(isa::bits_of(i.type) / 8);
    i.memory.elements = static_cast<std::uint8_t>(elements);
    i.memory.offset = offset;
  }
  isa::Program program_;
  std::map<std::string, std::int32_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> fixups_;
};

/// Runs a program in a launch with one buffer of 32-bit words, "out", at the address isa::kBuffers.
class Bench {
 public:
  explicit Bench(std::uint32_t words = 256) {
    memory.allocate_at("out", isa::kBuffers, std::uint64_t{words} * 4);
  }

  ReferenceResult run(ProgramBuilder& builder, std::uint32_t threads, std::uint32_t ctas = 1) {
    launch.program = std::make_shared<const isa::Program>(builder.build());
    launch.block.x = threads;
    launch.grid.x = ctas;
    launch.parameters.resize(launch.program->parameter_bytes);
    return run_reference(launch, memory, options);
  }

  std::string failure(ProgramBuilder& builder, std::uint32_t threads, std::uint32_t ctas = 1) {
    try {
      run(builder, threads, ctas);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }

  std::uint32_t word(std::uint32_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, memory.at(isa::kBuffers + index * 4u, 4, "test"), 4);
    return value;
  }
  void set_word(std::uint32_t index, std::uint32_t value) {
    std::memcpy(memory.at(isa::kBuffers + index * 4u, 4, "test"), &value, 4);
  }

  MemoryImage memory;
  isa::KernelLaunch launch;
  ReferenceOptions options;
};

/// Numbers of registers that open_threads() sets. kThread: register with the thread's index in a
/// one-dimensional grid. kAddress: register pair with the address of the thread's word in "out".
inline constexpr std::uint32_t kThread = 0, kAddress = 2;

/// Adds instructions that set r0 = global thread index, r2:r3 = address of word r0 of "out".
inline void open_threads(ProgramBuilder& b) {
  b.add(
       Opcode::mad, DataType::u32, {r(kThread)},
       {special(SpecialRegister::ctaid_x), special(SpecialRegister::ntid_x), special(SpecialRegister::tid_x)})
      .modifiers.part = isa::Part::lo;
  b.address(kAddress, isa::kBuffers, r(kThread), 4);
}
inline void close_threads(ProgramBuilder& b, Operand value) {
  b.store(DataType::u32, r(kAddress, 64), {value}, isa::Space::global);
  b.exit();
}

}  // namespace heddle::reference::testing

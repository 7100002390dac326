#include "testbench/estimate/untimed_key.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <type_traits>

#include "testbench/estimate/content_hash.h"

namespace heddle::estimate {
namespace {

// Version of the stored files. Increase it with every change of their contents or meaning.
constexpr std::uint64_t kFormat = 5;

void add_file(ContentHash& hash, const char* path) {
  struct stat found {};
  if (path == nullptr || ::stat(path, &found) != 0) return;
  hash.add(static_cast<std::uint64_t>(found.st_size));
  hash.add(static_cast<std::uint64_t>(found.st_mtim.tv_sec));
  hash.add(static_cast<std::uint64_t>(found.st_mtim.tv_nsec));
}

// Hashes the executable and, if there is one, the library that contains this code.
void add_this_program(ContentHash& hash) {
  add_file(hash, "/proc/self/exe");
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&add_this_program), &own) != 0) add_file(hash, own.dli_fname);
}

template <class Enum>
std::uint64_t number(Enum value) {
  return static_cast<std::uint64_t>(value);
}

void add(ContentHash& hash, const isa::Operand& o) {
  hash.add(number(o.kind) | std::uint64_t{o.negated} << 16 | number(o.special) << 24 |
           std::uint64_t{o.index} << 40 | std::uint64_t{o.bits} << 48);
  hash.add(o.reg.value | std::uint64_t{o.pred.value} << 32);
  hash.add(o.value);
}

void add(ContentHash& hash, const isa::Instruction& i) {
  hash.add(number(i.op) | number(i.unit) << 16 | number(i.op_class) << 24 | number(i.type) << 32 |
           number(i.source_type) << 40 | number(i.barrier) << 48 | std::uint64_t{i.overhead} << 56 |
           std::uint64_t{i.metadata} << 57 | std::uint64_t{i.guard.present} << 58 |
           std::uint64_t{i.guard.negated} << 59);
  static_assert(std::has_unique_object_representations_v<isa::Modifiers>);
  hash.add(std::span(reinterpret_cast<const std::uint8_t*>(&i.modifiers), sizeof i.modifiers));
  hash.add(i.guard.pred.value | std::uint64_t{i.num_dst} << 32 | std::uint64_t{i.num_src} << 40);
  for (const isa::Operand& o : i.destinations()) add(hash, o);
  for (const isa::Operand& o : i.sources()) add(hash, o);
  const isa::MemoryAccess& m = i.memory;
  hash.add(number(m.space) | std::uint64_t{m.element_bytes} << 8 | std::uint64_t{m.elements} << 16 |
           number(m.ordering) << 24 | number(m.scope) << 32 | number(i.texture.shape) << 40 |
           std::uint64_t{i.texture.gather} << 48 | std::uint64_t{i.texture.own_sampler} << 56);
  hash.add(static_cast<std::uint64_t>(m.offset));
  const isa::MatrixShape& matrix = i.matrix;
  hash.add(matrix.rows | std::uint64_t{matrix.columns} << 8 | std::uint64_t{matrix.depth} << 16 |
           number(matrix.b_type) << 32 | number(matrix.c_type) << 40 | number(matrix.bits) << 48 |
           std::uint64_t{matrix.a_by_columns} << 56 | std::uint64_t{matrix.b_by_rows} << 57);
  hash.add(static_cast<std::uint64_t>(i.target));
  hash.add(i.payload);
}

void add(ContentHash& hash, const isa::Program& program) {
  hash.add(program.kernel);
  hash.add(program.registers | std::uint64_t{program.predicates} << 32);
  hash.add(program.parameter_bytes | std::uint64_t{program.shared_bytes} << 32);
  hash.add(program.local_bytes);
  hash.add(program.grid_workspace);
  hash.add(program.code.size());
  for (const isa::Instruction& instruction : program.code) add(hash, instruction);
}

void add(ContentHash& hash, const isa::KernelLaunch& launch) {
  for (const isa::Dim3& extent : {launch.grid, launch.block}) {
    hash.add(extent.x | std::uint64_t{extent.y} << 32);
    hash.add(extent.z);
  }
  hash.add(launch.id.value | std::uint64_t{launch.dynamic_shared_bytes} << 32);
  hash.add(launch.cooperative);
  hash.add(launch.parameters);
}

void add(ContentHash& hash, const MemoryImage& memory) {
  for (const auto& allocation : memory.allocations()) {
    hash.add(allocation->base);
    hash.add(allocation->bytes * 2 + allocation->read_only);
    hash.add(std::span<const std::uint8_t>(allocation->data.data(), allocation->data.size()));
  }
}

}  // namespace

std::string untimed_key(const isa::KernelLaunch& launch, const MemoryImage& memory,
                        const reference::ReferenceOptions& options, const UntimedNotes& notes) {
  static const std::uint64_t this_program = [] {
    ContentHash hash;
    add_this_program(hash);
    return hash.value();
  }();
  ContentHash hash;
  hash.add(kFormat);
  hash.add(this_program);
  add(hash, *launch.program);
  add(hash, launch);
  hash.add(static_cast<std::uint64_t>(options.resident_ctas));
  hash.add(static_cast<std::uint64_t>(options.quantum));
  hash.add(options.endless_after);
  hash.add(number(options.thread_progress) | std::uint64_t{launch.program->sm} << 8);
  hash.add(number(options.matrix.generation) | number(options.matrix.floor) << 8 |
           number(options.matrix.overflow) << 16 | number(options.matrix.zero) << 24);
  hash.add(notes.cache_lines);
  hash.add(static_cast<std::uint64_t>(notes.threads));
  add(hash, memory);
  return hash.digits();
}

}  // namespace heddle::estimate

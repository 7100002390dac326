#include "testbench/launch/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/core/error.h"
#include "models/isa/address_size.h"
#include "testbench/launch/buffer_data.h"

namespace heddle::launch {
namespace {

// Alignment of buffers in bytes (assumed; cudaMalloc guarantees at least 256 bytes).
constexpr std::uint64_t kBufferAlignment = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

[[noreturn]] void refuse_base(std::uint64_t address, const isa::AddressLayout& layout, int bits) {
  std::string ranges = fmt::format("{} to below {}", layout.buffers, layout.end);
  if (layout.low_buffers < layout.module_globals)
    ranges = fmt::format("{} to below {}, {}", layout.low_buffers, layout.module_globals, ranges);
  throw Error("gpu.memory.buffer_base", fmt::format("{} for a program with {}-bit addresses", address, bits),
              fmt::format("0, or a multiple of {}: {}", kBufferAlignment, ranges));
}

isa::Dim3 evaluate(const std::array<Expression, 3>& extents, const Scope& scope, const isa::Dim3& most) {
  const auto extent = [&](int i, std::uint32_t high) {
    return static_cast<std::uint32_t>(extents[static_cast<std::size_t>(i)].evaluate(scope, 1, high));
  };
  return {extent(0, most.x), extent(1, most.y), extent(2, most.z)};
}

}  // namespace

LaunchRun::LaunchRun(const LaunchFile& file, ProgramProvider& programs, MemoryImage& memory,
                     std::uint64_t buffer_base, bool wide_guards)
    : file_(file),
      programs_(programs),
      memory_(memory),
      buffer_base_(buffer_base),
      wide_guards_(wide_guards),
      scope_(file.values) {
  constexpr std::int64_t kLeastStack = 16,
                         kMostStack = 512 << 10;  // largest stack of a thread in bytes, as in CUDA
  if (file.stack_bytes)
    programs.set_stack_bytes(
        static_cast<std::uint32_t>(file.stack_bytes->evaluate(scope_, kLeastStack, kMostStack)));
}

void LaunchRun::prepare() {
  place_buffers();
  place_variables();
  place_textures();
  placed_ = true;
  for (const BufferSpec& buffer : file_.buffers) {
    if (buffer.source.kind != DataSource::Kind::members) continue;
    const std::vector<std::uint8_t> data = data_of(buffer.source, buffer.type, buffer.count);
    std::copy(data.begin(), data.end(), bytes_of_buffer(buffer.name).begin());
  }
  for (const SymbolSpec& symbol : file_.symbols) set_symbol(symbol);
}

void LaunchRun::prepare_like(const LaunchRun& prepared) {
  memory_ = prepared.memory_;
  places_ = prepared.places_;
  textures_ = prepared.textures_;
  placed_ = true;
}

// Returns the number of unmapped bytes (guard) after a buffer. If the address space allows, the guard is at
// least as large as the buffer. An index that is wrong by up to the buffer's size then hits no other buffer.
// Such a guard is a multiple of 48 MiB (3 * 2^24 bytes). It therefore does not change the cache sets, memory
// channels and L2 slices of later buffers if their number is a small power of two, or three times one.
std::uint64_t guard_after(std::uint64_t bytes, const isa::AddressLayout& layout, bool wide) {
  constexpr std::uint64_t kStep = std::uint64_t{48} << 20;
  return wide ? (bytes / kStep + 1) * kStep : layout.guard;
}

void LaunchRun::place_buffers() {
  const int bits = programs_.address_bits();
  const isa::AddressLayout layout = isa::address_layout(bits);
  std::uint64_t address = buffer_base_ ? buffer_base_ : layout.buffers;
  const std::uint64_t end = layout.end_from(address);
  if (end == 0 || address % kBufferAlignment != 0) refuse_base(address, layout, bits);
  const bool wide = wide_guards_ && bits == isa::kWideAddressBits && end == layout.end;
  for (const BufferSpec& buffer : file_.buffers) {
    std::vector<std::uint8_t> data = data_of(buffer.source, buffer.type, buffer.count);
    if (buffer.address) {
      if (buffer.source.kind != DataSource::Kind::pages && *buffer.address < layout.buffers)
        throw Error(buffer.where, fmt::format("buffer \"{}\" at {:#x}", buffer.name, *buffer.address),
                    fmt::format("addresses from {:#x} on", layout.buffers));
      places_[buffer.name] = {*buffer.address, data.size()};
      if (buffer.variable.empty())
        memory_.allocate_at(buffer.name, *buffer.address, data.size()).data = std::move(data);
      else
        captured_variables_.emplace_back(&buffer, std::move(data));
      continue;
    }
    if (address > end || data.size() > end - address)
      throw Error(
          buffer.where,
          fmt::format("buffer \"{}\" ends at {:#x}, beyond the {}", buffer.name, address + data.size(),
                      end != layout.end               ? std::string("space before the module's variables")
                      : bits == isa::kWideAddressBits ? std::string("space of buffers")
                                                      : fmt::format("{}-bit address space", bits)),
          fmt::format("buffers that end below {:#x}, guards of {} bytes and more included", end,
                      guard_after(0, layout, wide)));
    places_[buffer.name] = {address, data.size()};
    auto& allocation = memory_.allocate_at(buffer.name, address, data.size());
    address = round_up(address + data.size() + isa::kAllocationGap, kBufferAlignment) +
              guard_after(data.size(), layout, wide);
    allocation.data = std::move(data);
  }
}

void LaunchRun::place_variables() {
  for (const isa::ModuleVariable& variable : programs_.variables()) {
    auto& allocation = memory_.allocate_at(variable.name, variable.address, variable.bytes,
                                           variable.space == isa::Space::constant);
    std::copy(variable.initial.begin(), variable.initial.end(), allocation.data.begin());
  }
  for (const auto& [buffer, data] : captured_variables_) {
    const MemoryImage::Allocation* const variable = memory_.find_by_name(buffer->variable);
    if (!variable || variable->base != *buffer->address || variable->bytes != data.size())
      throw Error(buffer->where,
                  fmt::format("the variable {} is not where it was captured", buffer->variable));
    std::copy(data.begin(), data.end(), bytes_of_buffer(buffer->name).begin());
  }
  captured_variables_.clear();
}

void LaunchRun::run(LaunchExecutor& executor) { walk(file_.steps, executor); }

void LaunchRun::walk(const std::vector<Step>& steps, LaunchExecutor& executor) {
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::kernel:
        launch_kernel(step, executor);
        break;
      case Step::Kind::repeat:
      case Step::Kind::while_:
        loop(step, executor);
        break;
      case Step::Kind::swap:
        std::swap(places_.at(step.buffer), places_.at(step.other));
        break;
      case Step::Kind::copy:
        copy(step);
        break;
      case Step::Kind::fill:
        fill(step);
        break;
      case Step::Kind::set:
        set(step);
        break;
      case Step::Kind::symbol:
        set_symbol(step.symbols.front());
        break;
      case Step::Kind::read_symbol:
        read_symbol(step);
        break;
    }
  }
}

void LaunchRun::loop(const Step& step, LaunchExecutor& executor) {
  const std::int64_t most = step.count->evaluate(scope_, 0, std::numeric_limits<std::int64_t>::max());
  const bool has_index = !step.index.empty();
  if (has_index) scope_.add(step.index, Number::of(WideInteger{0}));
  bool again = step.kind == Step::Kind::while_ || most > 0;
  for (std::int64_t round = 0; again; ++round) {
    if (round == most)
      throw Error(step.where, fmt::format("the loop has not ended after {} rounds: \"{}\" is still set", most,
                                          step.buffer));
    if (has_index) scope_.set_last(Number::of(WideInteger{round}));
    executor.round();
    walk(step.body, executor);
    again = step.kind == Step::Kind::while_ ? any_set(step.buffer) : round + 1 < most;
  }
  if (has_index) scope_.remove_last();
}

void LaunchRun::launch_kernel(const Step& step, LaunchExecutor& executor) {
  isa::KernelLaunch launch;
  try {
    launch.program = programs_.program(step.kernel);
  } catch (const Error& error) {
    throw Error(step.where, error.what());
  }
  const isa::Program& program = *launch.program;
  warn(program);
  launch.id = KernelId{static_cast<std::uint32_t>(launches_)};
  // Limits of all devices that PTX supports (CUDA C++ Programming Guide, "Technical Specifications").
  launch.grid = evaluate(step.grid, scope_, {0x7fffffff, 65535, 65535});
  launch.block = evaluate(step.block, scope_, {1024, 1024, 64});
  if (launch.grid.count() > isa::kMostCtas)
    throw Error(step.where,
                fmt::format("a grid of {} x {} x {}, {} CTAs", launch.grid.x, launch.grid.y, launch.grid.z,
                            launch.grid.count()),
                fmt::format("up to {} CTAs", isa::kMostCtas));
  const std::uint64_t threads = launch.block.count();
  const std::uint64_t most = program.max_threads ? program.max_threads : 1024;
  if (threads > most)
    throw Error(step.where, fmt::format("a block of {} threads for kernel {}", threads, program.kernel),
                fmt::format("up to {}", most));
  const auto& required = program.required_threads;
  if (required[0] != 0 && !(launch.block == isa::Dim3{required[0], required[1], required[2]}))
    throw Error(step.where, "kernel " + program.kernel + " requires another block size",
                fmt::format("{} x {} x {}", required[0], required[1], required[2]));
  launch.dynamic_shared_bytes = dynamic_shared_bytes(step, scope_);
  launch.cooperative = step.cooperative;
  launch.parameters = make_parameters(
      step, program, scope_, [this](const Argument& argument) { return place_of(argument); },
      programs_.address_bits());
  executor.launch(launch, memory_);
  for (const isa::ModuleVariable& variable : programs_.variables())
    if (variable.name == isa::kPrintfBuffer) read_printed(variable, launch, memory_, printed_);
  ++launches_;
}

void LaunchRun::warn(const isa::Program& program) {
  const bool time = program.reads_time() && !file_.depends_on.time;
  const bool placement = program.reads_placement() && !file_.depends_on.placement;
  if ((!time && !placement) || !warned_.insert(program.kernel).second) return;
  warnings_.push_back(fmt::format(
      "kernel {} reads {}, but {} does not say in \"depends_on\" that results depend on {}", program.kernel,
      time ? "the clock" : "%smid or %warpid", file_.path, time ? "time" : "placement"));
}

std::span<std::uint8_t> LaunchRun::bytes_of_buffer(const std::string& name) const {
  const BufferPlace place = places_.at(name);
  return {memory_.at(place.address, place.bytes, name), place.bytes};
}

void LaunchRun::copy(const Step& step) {
  const std::span<const std::uint8_t> from = bytes_of_buffer(step.buffer);
  const std::span<std::uint8_t> to = bytes_of_buffer(step.other);
  if (from.size() > to.size())
    throw Error(step.where,
                fmt::format("{} bytes of \"{}\" do not fit \"{}\"", from.size(), step.buffer, step.other),
                fmt::format("up to {} bytes", to.size()));
  if (step.buffer != step.other) std::copy(from.begin(), from.end(), to.begin());
}

void LaunchRun::fill(const Step& step) {
  const ElementType type = file_.find_buffer(step.buffer)->type;
  const std::size_t element = launch::bytes_of(type);
  const std::uint64_t bits = step.value.evaluate_bits(scope_, type);
  const std::span<std::uint8_t> data = bytes_of_buffer(step.buffer);
  for (std::size_t at = 0; at < data.size(); at += element) store_element(type, bits, data.data() + at);
}

bool LaunchRun::any_set(const std::string& buffer) const {
  const ElementType type = file_.find_buffer(buffer)->type;
  const std::span<const std::uint8_t> data = bytes_of_buffer(buffer);
  for (std::size_t at = 0; at < data.size(); at += launch::bytes_of(type)) {
    if (element_as_real(type, data.data() + at) != 0) return true;
  }
  return false;
}

BufferView LaunchRun::buffer(const std::string& name) const {
  const BufferSpec* spec = file_.find_buffer(name);
  if (!spec) throw Error(file_.path, "unknown buffer \"" + name + "\"");
  BufferView view;
  view.name = name;
  view.type = spec->type;
  view.address = places_.at(name).address;
  view.data = bytes_of_buffer(name);
  return view;
}

std::vector<BufferView> LaunchRun::outputs() const {
  std::vector<BufferView> views;
  for (const OutputSpec& output : file_.outputs) {
    views.push_back(!output.symbol.empty() ? symbol_view(output.symbol.front()) : buffer(output.buffer));
    views.back().compare = output.compare;
    views.back().with_source = output.with_source;
  }
  return views;
}

namespace {
void collect_shapes(const std::vector<Step>& steps, Scope& scope, std::vector<LaunchShape>& shapes) {
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::kernel)
      shapes.push_back({step.kernel, evaluate(step.grid, scope, {0x7fffffff, 65535, 65535}),
                        evaluate(step.block, scope, {1024, 1024, 64}), dynamic_shared_bytes(step, scope)});
    if (step.body.empty()) continue;
    const bool has_index = !step.index.empty();
    if (has_index) scope.add(step.index, Number::of(WideInteger{0}));
    collect_shapes(step.body, scope, shapes);
    if (has_index) scope.remove_last();
  }
}
}  // namespace

std::vector<LaunchShape> launch_shapes(const LaunchFile& file) {
  Scope scope = file.values;
  std::vector<LaunchShape> shapes;
  collect_shapes(file.steps, scope, shapes);
  return shapes;
}

}  // namespace heddle::launch

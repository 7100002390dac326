#include "testbench/launch/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "testbench/launch/buffer_data.h"

namespace heddle::launch {
namespace {

// Alignment in bytes of the dynamic shared memory that is reserved for an argument. 16 bytes is the widest
// access of PTX.
constexpr std::uint32_t kSharedAlign = 16;
constexpr std::uint64_t kMostShared = isa::kWindowBytes / 2;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kSharedAlign - 1) / kSharedAlign * kSharedAlign;
}

class SharedPieces {
 public:
  SharedPieces(const Step& step, const Scope& scope)
      : scope_(scope),
        end_(static_cast<std::uint64_t>(
            step.shared_bytes.evaluate(scope, 0, static_cast<std::int64_t>(kMostShared)))) {}
  /// Reserves space for the argument in dynamic shared memory, and returns its offset there.
  std::uint64_t take(const Argument& argument) {
    const std::uint64_t begin = aligned(end_);
    const auto bytes = static_cast<std::uint64_t>(
        argument.values.front().evaluate(scope_, 0, static_cast<std::int64_t>(kMostShared)));
    if (begin + bytes > kMostShared)
      throw Error(argument.where, fmt::format("{} bytes of dynamic shared memory", begin + bytes),
                  fmt::format("up to {}", kMostShared));
    end_ = begin + bytes;
    return begin;
  }
  void take_all(const std::vector<Argument>& arguments) {
    for (const Argument& a : arguments) {
      if (a.kind == Argument::Kind::shared) take(a);
      take_all(a.members);
    }
  }
  std::uint64_t bytes() const { return end_; }

 private:
  const Scope& scope_;
  std::uint64_t end_;
};

struct Encoded {
  std::vector<std::uint8_t> bytes;
  std::uint32_t align = 1;
};

class Encoder {
 public:
  /// Prepares to encode arguments as bytes of the parameter block. `shared`: reserves space for arguments in
  /// dynamic shared memory, which begins at `dynamic_at`. nullptr: the arguments cannot be in shared memory.
  Encoder(const Scope& scope, const FindPlace& find_place, int address_bits, SharedPieces* shared = nullptr,
          std::uint64_t dynamic_at = 0)
      : scope_(scope),
        find_place_(find_place),
        shared_(shared),
        dynamic_at_(dynamic_at),
        pointer_bytes_(static_cast<std::uint32_t>(address_bits) / 8) {}

  Encoded encode(const Argument& a) const {
    switch (a.kind) {
      case Argument::Kind::buffer:
      case Argument::Kind::symbol:
        return pointer(a);
      case Argument::Kind::texture:
        return handle(a);
      case Argument::Kind::shared:
        return shared(a);
      case Argument::Kind::scalar:
        return scalars(a);
      case Argument::Kind::structure:
        return structure(a);
      case Argument::Kind::bytes:
        return {a.bytes, 1};
    }
    return {};
  }

 private:
  Encoded pointer(const Argument& a) const {
    const BufferPlace place = find_place_(a);
    const std::int64_t offset = a.offset_bytes.evaluate(scope_, 0, static_cast<std::int64_t>(place.bytes));
    Encoded result{std::vector<std::uint8_t>(pointer_bytes_), pointer_bytes_};
    store_element(pointer_bytes_ == 4 ? ElementType::u32 : ElementType::u64,
                  place.address + static_cast<std::uint64_t>(offset), result.bytes.data());
    return result;
  }

  /// Encodes the handle of a texture or surface. In CUDA, a handle has 8 bytes even if pointers have 4.
  Encoded handle(const Argument& a) const {
    Encoded result{std::vector<std::uint8_t>(8), 8};
    store_element(ElementType::u64, find_place_(a).address, result.bytes.data());
    return result;
  }

  Encoded shared(const Argument& a) const {
    if (!shared_)
      throw Error(a.where, "shared memory is no member of a buffer", "an argument of a kernel step");
    Encoded result{std::vector<std::uint8_t>(pointer_bytes_), pointer_bytes_};
    store_element(pointer_bytes_ == 4 ? ElementType::u32 : ElementType::u64, dynamic_at_ + shared_->take(a),
                  result.bytes.data());
    return result;
  }

  Encoded scalars(const Argument& a) const {
    const std::size_t bytes = bytes_of(a.type);
    Encoded result{std::vector<std::uint8_t>(bytes * a.values.size()), static_cast<std::uint32_t>(bytes)};
    for (std::size_t i = 0; i < a.values.size(); ++i)
      store_element(a.type, a.values[i].evaluate_bits(scope_, a.type), result.bytes.data() + i * bytes);
    return result;
  }

  Encoded structure(const Argument& a) const {
    Encoded result;
    for (const Argument& member : a.members) {
      const Encoded part = encode(member);
      result.align = std::max(result.align, part.align);
      pad(result, part.align);
      result.bytes.insert(result.bytes.end(), part.bytes.begin(), part.bytes.end());
    }
    result.align = std::max(result.align, a.align);
    pad(result, result.align);
    return result;
  }

  static void pad(Encoded& e, std::uint32_t align) {
    e.bytes.resize((e.bytes.size() + align - 1) / align * align);
  }

  const Scope& scope_;
  const FindPlace& find_place_;
  SharedPieces* shared_;
  std::uint64_t dynamic_at_;
  std::uint32_t pointer_bytes_;
};

std::string describe(const Argument& a, std::size_t bytes) {
  switch (a.kind) {
    case Argument::Kind::symbol:
      return fmt::format("a symbol's address ({} bytes)", bytes);
    case Argument::Kind::texture:
      return fmt::format("a texture's handle ({} bytes)", bytes);
    case Argument::Kind::buffer:
      return fmt::format("a buffer's address ({} bytes)", bytes);
    case Argument::Kind::shared:
      return fmt::format("an address of shared memory ({} bytes)", bytes);
    case Argument::Kind::scalar:
      return a.values.size() == 1
                 ? fmt::format("one {} ({} bytes)", name_of(a.type), bytes)
                 : fmt::format("{} elements of {} ({} bytes)", a.values.size(), name_of(a.type), bytes);
    case Argument::Kind::structure:
      return fmt::format("a structure of {} bytes", bytes);
    case Argument::Kind::bytes:
      return fmt::format("{} bytes", bytes);
  }
  return {};
}

/// Returns false if the argument is an address but the parameter a float, or if both are numbers but
/// takes_number() does not accept the argument's type.
bool kinds_fit(const Argument& a, const isa::KernelParameter& p) {
  if (a.kind == Argument::Kind::buffer || a.kind == Argument::Kind::symbol ||
      a.kind == Argument::Kind::texture || a.kind == Argument::Kind::shared)
    return !isa::is_float(p.type);
  return a.kind != Argument::Kind::scalar || takes_number(p, a.type);
}

/// Throws Error if the kernel uses the parameter as an address of shared memory, but the launch file passes another
/// value.
void check_shared(const Argument& a, const isa::Program& program, const isa::KernelParameter& p,
                  const std::vector<std::uint8_t>& bytes, std::uint64_t shared_bytes) {
  if (!p.shared_pointer || a.kind == Argument::Kind::shared || a.kind == Argument::Kind::bytes) return;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  if (value - isa::kSharedWindow < std::max<std::uint64_t>(shared_bytes, 1)) return;
  throw Error(
      a.where,
      fmt::format(
          "{:#x} is no address of the {} bytes of shared memory of kernel {}, and its parameter {} is "
          "declared .ptr .shared",
          value, shared_bytes, program.kernel, p.name),
      R"({"shared": BYTES}: the address of that many bytes more of dynamic shared memory)");
}

std::string parameters_of(const isa::Program& program) {
  std::string text;
  for (const auto& p : program.parameters) {
    text += fmt::format("{}.{} {}", text.empty() ? "" : ", ", isa::name_of(p.type), p.name);
    if (p.bytes * 8 != static_cast<std::uint32_t>(isa::bits_of(p.type)))
      text += fmt::format(" ({} bytes)", p.bytes);
  }
  return text.empty() ? "no arguments" : text;
}

}  // namespace

bool takes_number(const isa::KernelParameter& parameter, ElementType type) {
  if (!is_real(type)) return !isa::is_float(parameter.type);
  const bool bits = parameter.type == isa::DataType::b8 || parameter.type == isa::DataType::b16 ||
                    parameter.type == isa::DataType::b32 || parameter.type == isa::DataType::b64;
  return isa::bits_of(parameter.type) == 0 || bits || isa::is_float(parameter.type);
}

std::uint32_t dynamic_shared_bytes(const Step& step, const Scope& scope) {
  SharedPieces pieces(step, scope);
  pieces.take_all(step.arguments);
  return static_cast<std::uint32_t>(pieces.bytes());
}

std::vector<std::uint8_t> make_parameters(const Step& step, const isa::Program& program, const Scope& scope,
                                          const FindPlace& find_place, int address_bits) {
  if (step.parameters) {
    if (step.parameters->size() != program.parameter_bytes)
      throw Error(step.where,
                  fmt::format("{} bytes of parameters for kernel {}, which has {}", step.parameters->size(),
                              program.kernel, program.parameter_bytes),
                  parameters_of(program));
    return *step.parameters;
  }
  if (step.arguments.size() != program.parameters.size())
    throw Error(step.where,
                fmt::format("{} arguments for kernel {}, which has {} parameters", step.arguments.size(),
                            program.kernel, program.parameters.size()),
                parameters_of(program));
  SharedPieces shared(step, scope);
  const Encoder encoder(scope, find_place, address_bits, &shared,
                        isa::kSharedWindow + aligned(program.shared_bytes));
  std::vector<std::uint8_t> block(program.parameter_bytes);
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const Argument& argument = step.arguments[i];
    const isa::KernelParameter& parameter = program.parameters[i];
    Encoded value = encoder.encode(argument);
    // A pointer to shared memory may have 32 bits even if other pointers have 64 (clang: -nvptx-short-ptr).
    if (argument.kind == Argument::Kind::shared && (parameter.bytes == 4 || parameter.bytes == 8))
      value.bytes.resize(parameter.bytes);
    if (value.bytes.size() != parameter.bytes || !kinds_fit(argument, parameter))
      throw Error(argument.where,
                  fmt::format("argument {} of kernel {} is {}, the parameter {} is .{} of {} bytes", i + 1,
                              program.kernel, describe(argument, value.bytes.size()), parameter.name,
                              isa::name_of(parameter.type), parameter.bytes),
                  parameters_of(program));
    check_shared(argument, program, parameter, value.bytes,
                 aligned(program.shared_bytes) + dynamic_shared_bytes(step, scope));
    std::copy(value.bytes.begin(), value.bytes.end(), block.begin() + parameter.offset);
  }
  return block;
}

std::vector<std::uint8_t> make_members(const std::vector<Argument>& members, const Scope& scope,
                                       const FindPlace& find_place, int address_bits) {
  Argument structure;
  structure.kind = Argument::Kind::structure;
  structure.members = members;
  return Encoder(scope, find_place, address_bits).encode(structure).bytes;
}

}  // namespace heddle::launch

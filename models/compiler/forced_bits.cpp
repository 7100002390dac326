#include "models/compiler/forced_bits.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "models/compiler/check_control_bits.h"
#include "models/core/error.h"

namespace heddle::compiler {
namespace {

using isa::ControlBits;
using isa::Instruction;

constexpr const char* kKey = "compiler.passes: control-bits: force";
constexpr const char* kForm =
    "INSTRUCTION.FIELD=VALUE with a field stall, yield, write, read, wait, or reuse.a to reuse.f";

std::optional<unsigned> number_in(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

class ForcedBit {
 public:
  ForcedBit(const isa::Program& program, const std::string& text) : program_(program), text_(text) {
    const std::string_view view = text;
    const std::size_t dot = view.find('.'), equals = view.find('=');
    if (dot == std::string_view::npos || equals == std::string_view::npos || dot > equals)
      throw wrong("not an assignment", kForm);
    const auto n = number_in(view.substr(0, dot));
    if (!n || *n >= program.code.size() || program.code[*n].metadata)
      throw wrong("no such instruction",
                  fmt::format("an issued instruction, 0 to {}", program.code.size() - 1));
    instruction = *n;
    field = view.substr(dot + 1, equals - dot - 1);
    value_ = view.substr(equals + 1);
  }

  std::uint8_t value(unsigned most) const {
    const auto read = number_in(value_);
    if (!read || *read > most) throw wrong(fmt::format("\"{}\"", value_), fmt::format("0 to {}", most));
    return static_cast<std::uint8_t>(*read);
  }
  std::uint8_t counter() const {
    if (value_ == "none") return ControlBits::kNoCounter;
    const auto read = number_in(value_);
    if (!read || *read >= isa::kDependenceCounters)
      throw wrong(fmt::format("counter {}", value_),
                  fmt::format("0 to {}, none", isa::kDependenceCounters - 1));
    return static_cast<std::uint8_t>(*read);
  }
  Error wrong(const std::string& what, const std::string& allowed) const {
    return {kKey,
            fmt::format("kernel {}, \"{}\"{}: {}", program_.kernel, text_,
                        instruction < program_.code.size()
                            ? fmt::format(" ({})", to_string(program_.code[instruction]))
                            : "",
                        what),
            allowed};
  }

  std::size_t instruction = static_cast<std::size_t>(-1);
  std::string_view field;

 private:
  const isa::Program& program_;
  const std::string& text_;
  std::string_view value_;
};

void force_reuse(Instruction& i, const ForcedBit& a) {
  const std::string_view operand = a.field.substr(a.field.find('.') + 1);
  if (operand.starts_with('d') && operand.size() > 1)
    throw a.wrong("a reuse bit of a destination", "of a source register, reuse.a to reuse.f");
  const std::size_t slot =
      operand.size() == 1 ? static_cast<std::size_t>(operand[0] - 'a') : isa::kMaxSources;
  if (slot >= i.num_src || !i.src[slot].is_reg())
    throw a.wrong("no source register", "reuse.a for the first source, reuse.b for the second");
  i.src[slot].annotation.reuse = a.value(1) != 0;
}

}  // namespace

void force_bits(isa::Program& program, const std::string& text) {
  const ForcedBit a(program, text);
  Instruction& i = program.code[a.instruction];
  if (a.field == "stall")
    i.control.stall = a.value(isa::kLargestStall);
  else if (a.field == "yield")
    i.control.yield = a.value(1) != 0;
  else if (a.field == "write")
    i.control.write_counter = a.counter();
  else if (a.field == "read")
    i.control.read_counter = a.counter();
  else if (a.field == "wait")
    i.control.wait_mask = a.value((1u << isa::kDependenceCounters) - 1);
  else if (a.field.starts_with("reuse."))
    force_reuse(i, a);
  else
    throw a.wrong(fmt::format("no field \"{}\"", a.field), kForm);
  mark_unproven(program);
}

}  // namespace heddle::compiler

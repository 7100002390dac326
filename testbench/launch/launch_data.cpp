#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/address_size.h"
#include "models/ptx/kernel_name.h"
#include "testbench/launch/buffer_data.h"
#include "testbench/launch/launch_run.h"

namespace heddle::launch {
namespace {

constexpr std::uint64_t kAnyBytes = std::uint64_t{1} << 62;

}  // namespace

const isa::ModuleVariable& LaunchRun::find_variable(const SymbolSpec& symbol) const {
  const isa::ModuleVariable* found = nullptr;
  std::string known;
  for (const isa::ModuleVariable& variable : programs_.variables()) {
    if (variable.name == symbol.name) return variable;
    known += (known.empty() ? "" : ", ") + variable.name;
    if (ptx::demangled(variable.name) != symbol.name) continue;
    if (found)
      throw Error(symbol.where, "the symbol \"" + symbol.name + "\" is ambiguous",
                  found->name + " or " + variable.name);
    found = &variable;
  }
  if (!found)
    throw Error(symbol.where, "no module-level variable \"" + symbol.name + "\"",
                known.empty() ? "the module has none" : known);
  return *found;
}

std::vector<std::uint8_t> LaunchRun::symbol_data(const SymbolSpec& symbol) const {
  if (symbol.kind == SymbolSpec::Kind::data) return data_of(symbol.source, symbol.type, symbol.count);
  if (symbol.kind == SymbolSpec::Kind::texture) return header_of(*file_.find_texture(symbol.buffer));
  const BufferPlace place = places_.at(symbol.buffer);
  if (symbol.kind == SymbolSpec::Kind::pointer) {
    const auto offset = symbol.buffer_offset.evaluate(scope_, 0, static_cast<std::int64_t>(place.bytes));
    const bool narrow = programs_.address_bits() == isa::kNarrowAddressBits;
    std::vector<std::uint8_t> data(narrow ? 4 : 8);
    store_element(narrow ? ElementType::u32 : ElementType::u64,
                  place.address + static_cast<std::uint64_t>(offset), data.data());
    return data;
  }
  const BufferSpec& buffer = *file_.find_buffer(symbol.buffer);
  if (buffer.type != symbol.type)
    throw Error(symbol.where,
                fmt::format("the buffer \"{}\" is of type {}", buffer.name, name_of(buffer.type)),
                name_of(symbol.type));
  const std::span<const std::uint8_t> data = bytes_of_buffer(symbol.buffer);
  const std::size_t element = launch::bytes_of(symbol.type);
  const auto all = static_cast<std::int64_t>(data.size() / element);
  const auto count = static_cast<std::size_t>(symbol.count ? symbol.count->evaluate(scope_, 1, all) : all);
  return {data.begin(), data.begin() + static_cast<std::ptrdiff_t>(count * element)};
}

void LaunchRun::set_symbol(const SymbolSpec& symbol) {
  const std::vector<std::uint8_t> data = symbol_data(symbol);
  const std::span<std::uint8_t> part = part_of(symbol, data.size());
  std::copy(data.begin(), data.end(), part.begin());
}

/// Returns the bytes of a part of a module variable. Throws Error if the variable ends before the part does.
std::span<std::uint8_t> LaunchRun::part_of(const SymbolSpec& symbol, std::uint64_t bytes) const {
  const isa::ModuleVariable& variable = find_variable(symbol);
  const auto offset = static_cast<std::uint64_t>(
      symbol.offset_bytes.evaluate(scope_, 0, static_cast<std::int64_t>(variable.bytes)));
  if (bytes > variable.bytes - offset)
    throw Error(symbol.where,
                fmt::format("{} bytes at offset {} for the variable {}", bytes, offset, variable.name),
                fmt::format("up to {} bytes", variable.bytes - offset));
  return {memory_.at(variable.address + offset, bytes, symbol.where), bytes};
}

void LaunchRun::read_symbol(const Step& step) {
  const std::span<std::uint8_t> to = bytes_of_buffer(step.buffer);
  const std::span<std::uint8_t> from = part_of(step.symbols.front(), to.size());
  std::copy(from.begin(), from.end(), to.begin());
}

BufferView LaunchRun::symbol_view(const SymbolSpec& symbol) const {
  const isa::ModuleVariable& variable = find_variable(symbol);
  const std::size_t element = launch::bytes_of(symbol.type);
  const auto offset = static_cast<std::uint64_t>(
      symbol.offset_bytes.evaluate(scope_, 0, static_cast<std::int64_t>(variable.bytes)));
  const std::uint64_t all = (variable.bytes - offset) / element;
  const auto count = static_cast<std::uint64_t>(
      symbol.count ? symbol.count->evaluate(scope_, 1, static_cast<std::int64_t>(all))
                   : static_cast<std::int64_t>(all));
  BufferView view;
  view.name = symbol.name;
  view.type = symbol.type;
  view.address = variable.address + offset;
  view.data = part_of(symbol, count * element);
  return view;
}

std::vector<std::uint8_t> LaunchRun::header_of(const TextureSpec& texture) const {
  const bool sampler = texture.kind == isa::HeaderKind::sampler;
  const BufferPlace place = sampler ? BufferPlace{} : places_.at(texture.buffer);
  return launch::bytes_of(make_header(texture, scope_, place.address, place.bytes));
}

void LaunchRun::place_textures() {
  std::uint64_t address = isa::kTextureHeaders;
  for (const TextureSpec& texture : file_.textures) {
    if (address + isa::kAllocationGap > isa::kConstWindow + isa::kWindowBytes)
      throw Error(texture.where, "too many textures",
                  std::to_string(isa::kWindowBytes / 2 / isa::kAllocationGap));
    memory_.allocate_at("texture " + texture.name, address, isa::kTextureHeaderBytes, true).data =
        header_of(texture);
    textures_[texture.name] = {address, isa::kTextureHeaderBytes};
    address += isa::kAllocationGap;
  }
}

/// Returns the memory of an argument. Before buffers have addresses, returns a placeholder, which is enough
/// to compute the size of the parameter block.
BufferPlace LaunchRun::place_of(const Argument& argument) const {
  if (!placed_) return {0, kAnyBytes};
  if (argument.kind == Argument::Kind::buffer) return places_.at(argument.buffer);
  if (argument.kind == Argument::Kind::texture) return textures_.at(argument.buffer);
  SymbolSpec symbol;
  symbol.name = argument.buffer;
  symbol.where = argument.where;
  const isa::ModuleVariable& variable = find_variable(symbol);
  return {variable.address, variable.bytes};
}

std::vector<std::uint8_t> LaunchRun::data_of(const DataSource& source, ElementType type,
                                             const std::optional<Expression>& count) const {
  if (source.kind != DataSource::Kind::members) return make_data(source, type, count, scope_);
  std::vector<std::uint8_t> data = make_members(
      source.members, scope_, [this](const Argument& a) { return place_of(a); }, programs_.address_bits());
  const std::size_t element = launch::bytes_of(type);
  const auto most = static_cast<std::int64_t>(kMaxBufferBytes / element);
  if (data.size() % element != 0 ||
      (count && static_cast<std::uint64_t>(count->evaluate(scope_, 1, most)) != data.size() / element))
    throw Error(source.where, fmt::format("members of {} bytes in all", data.size()),
                fmt::format("{} bytes an element, and as many elements as \"count\" says", element));
  return data;
}

}  // namespace heddle::launch

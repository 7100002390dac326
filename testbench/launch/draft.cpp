#include "testbench/launch/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/core/config_node.h"
#include "models/isa/own_variables.h"
#include "testbench/launch/kernel_arguments.h"
#include "testbench/launch/parameter_facts.h"

namespace heddle::launch {
namespace {

std::string json_string(const std::string& text) {
  std::string json = to_json(ConfigNode::make_string(text));
  json.pop_back();
  return json;
}

std::string type_list(const PartFacts& part) {
  std::string text;
  for (const ElementType type : part.elements)
    text += (text.empty() ? "" : ", ") + std::string(name_of(type));
  return text;
}

/// The type of a buffer's elements: that of the accesses, or where they differ in size the narrowest.
ElementType buffer_type(const PartFacts& part) {
  if (!part.targets.empty()) return part.type;
  ElementType type = part.elements.front();
  for (const ElementType other : part.elements)
    if (bytes_of(other) < bytes_of(type)) type = other;
  return type;
}

class Draft {
 public:
  Draft(const ptx::Module& module, const std::string& kernel, std::string ptx)
      : module_(module),
        program_(ptx::lower_kernel(module, kernel)),
        facts_(find_facts(program_, module.variables(), module.address_bits())),
        ptx_(std::move(ptx)) {}

  std::string text() {
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) arguments_.push_back(argument(i));
    for (const isa::ModuleVariable& v : module_.variables())
      if (!isa::is_of_run_time(v.name) && facts_.variables.contains(v.address))
        symbol(v, facts_.variables.at(v.address));
    std::string plain = program_.kernel;
    for (const ptx::KernelName& name : module_.kernels())
      if (name.mangled == program_.kernel) plain = name.plain;
    std::string out = fmt::format(
        "{{\n"
        "  // Drafted for kernel {} of {}. Each \"?\" is to be filled in: a number, or an expression over "
        "the\n"
        "  // \"values\". What the code tells stands beside. The format: docs/formats/launch.md.\n"
        "  \"description\": {},\n"
        "  \"ptx\": {},\n",
        plain, ptx_, json_string(plain), json_string(ptx_));
    out += section("values", values_) + section("buffers", buffers_) + section("symbols", symbols_) +
           kept_note();
    out += fmt::format(
        "  \"steps\": [\n"
        "    {{\"kernel\": {},{}\n"
        "     \"grid\": {},\n"
        "     \"block\": {},{}\n",
        json_string(is_unique(plain) ? plain : program_.kernel), shared_note(),
        extents(facts_.grid_dimensions), block(), block_note());
    if (facts_.dynamic_shared) out += "     \"shared_bytes\": \"?\",  // of extern __shared__ memory\n";
    if (program_.grid_workspace) out += "     \"cooperative\": true,\n";
    out += "     \"args\": [\n";
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      out += fmt::format("       {}{}\n", arguments_[i], i + 1 < arguments_.size() ? "," : "");
    out += "     ]}\n  ]" + outputs() + dependences() + "\n}\n";
    return out;
  }

 private:
  struct Entry {
    std::string key, value, note;
  };

  bool is_unique(const std::string& plain) const {
    return std::count_if(module_.kernels().begin(), module_.kernels().end(),
                         [&plain](const ptx::KernelName& name) { return name.plain == plain; }) == 1;
  }

  /// "parameter 0", with its name where the compiler has not made it.
  std::string about(std::size_t index) const {
    const std::string& name = program_.parameters[index].name;
    return fmt::format("parameter {}", index) +
           (name == fmt::format("{}_param_{}", program_.kernel, index) ? "" : ", " + name);
  }

  static std::string section(const char* name, const std::vector<Entry>& entries) {
    if (entries.empty()) return {};
    std::string out = fmt::format("  \"{}\": {{\n", name);
    for (std::size_t i = 0; i < entries.size(); ++i)
      out += fmt::format("    {}: {}{}  // {}\n", json_string(entries[i].key), entries[i].value,
                         i + 1 < entries.size() ? "," : "", entries[i].note);
    return out + "  },\n";
  }

  std::string argument(std::size_t index) {
    const isa::KernelParameter& parameter = program_.parameters[index];
    const std::string name = fmt::format("p{}", index);
    std::vector<const PartFacts*> parts;
    for (const PartFacts& part : facts_.parts)
      if (part.offset >= parameter.offset && part.offset + part.bytes <= parameter.offset + parameter.bytes)
        parts.push_back(&part);
    const bool whole = parts.size() == 1 && parts[0]->bytes == parameter.bytes;
    if (whole) {
      PartFacts part = *parts[0];
      // Code may load a float as bits.
      if (!takes_number(parameter, part.type)) part.type = element_of(parameter.type, parameter.bytes);
      return member(part, name, about(index));
    }
    if (parts.empty() && parameter.type != isa::DataType::b8 && parameter.bytes <= 8)
      return fmt::format("{{\"{}\": 0}}", name_of(element_of(parameter.type, parameter.bytes)));
    return structure(parameter, index, parts);
  }

  // Members where the kernel reads, bytes of 0 between them.
  std::string structure(const isa::KernelParameter& parameter, std::size_t index,
                        const std::vector<const PartFacts*>& parts) {
    std::string out;
    std::uint32_t at = parameter.offset;
    const auto fill = [&](std::uint32_t to) {
      if (to <= at) return;
      out += fmt::format("{}{{\"bytes\": \"{:0>{}}\"}}", out.empty() ? "" : ", ", "", 2 * (to - at));
      at = to;
    };
    for (const PartFacts* part : parts) {
      if (part->offset < at) continue;  // read twice, in other pieces
      fill(part->offset);
      const std::uint32_t inside = part->offset - parameter.offset;
      out += (out.empty() ? "" : ", ") +
             member(*part, fmt::format("p{}_{}", index, inside),
                    fmt::format("{}, byte {} of {}", about(index), inside, parameter.bytes));
      at += part->bytes;
    }
    fill(parameter.offset + parameter.bytes);
    return "{\"struct\": [" + out + "]}";
  }

  std::string member(const PartFacts& part, const std::string& name, const std::string& where) {
    if (part.address) {
      buffer(part, name, where);
      return fmt::format("{{\"buffer\": \"{}\"}}", name);
    }
    const char* const unsure =
        part.lost ? "; kept in local memory where the draft cannot follow it: a number or an address" : "";
    values_.push_back({name, "\"?\"", fmt::format("{}: {}{}", where, name_of(part.type), unsure)});
    return fmt::format("{{\"{}\": \"{}\"}}", name_of(part.type), name);
  }

  static std::string accesses(const PartFacts& part) {
    const char* const how = part.atomics                ? "atomics"
                            : part.read && part.written ? "read and written"
                            : part.read                 ? "read"
                                                        : "written";
    return fmt::format("{} as {}", how, type_list(part));
  }

  void buffer(const PartFacts& part, const std::string& name, const std::string& where) {
    const ElementType type = buffer_type(part);
    std::string note = where + ": " + accesses(part);
    if (part.stride > bytes_of(part.elements.front()) && part.targets.empty())
      note += fmt::format(", at multiples of {} bytes", part.stride);
    if (!part.targets.empty()) {
      buffers_.push_back(addresses(part, name, note));
    } else {
      // Integers that the kernel only reads may be indices: how far they go, only the user knows.
      const bool chosen = is_real(type) ? part.read : part.read && !part.written && !part.atomics;
      const std::string init =
          chosen
              ? fmt::format(", \"init\": {{\"kind\": \"uniform\", \"low\": 0, \"high\": {}, \"seed\": {}}}",
                            is_real(type) ? "1" : "\"?\"", buffers_.size() + 1)
              : "";
      buffers_.push_back(
          {name, fmt::format("{{\"type\": \"{}\", \"count\": \"?\"{}}}", name_of(type), init), note});
    }
    if (part.written) outputs_.push_back(fmt::format("\"buffer\": \"{}\"", name));
  }

  /// Memory that holds so many addresses, with a buffer where they point.
  Entry addresses(const PartFacts& part, const std::string& name, const std::string& note,
                  std::size_t count = 1) {
    buffer(part.targets[0], name + "_target", "the addresses in " + name);
    const std::vector<std::string> members(count, fmt::format("{{\"buffer\": \"{}_target\"}}", name));
    return {name,
            fmt::format("{{\"type\": \"{}\", \"init\": {{\"kind\": \"members\", \"members\": [{}]}}}}",
                        name_of(buffer_type(part)), fmt::join(members, ", ")),
            note + ": addresses, as many as there are; of other buffers, or of one at offset_bytes"};
  }

  void symbol(const isa::ModuleVariable& v, const PartFacts& part) {
    const std::string_view type = name_of(part.elements.empty() ? ElementType::f32 : buffer_type(part));
    if (part.written)
      outputs_.push_back(fmt::format("\"symbol\": {}, \"type\": \"{}\"", json_string(v.name), type));
    if (!v.initial.empty()) return;
    const std::string note = fmt::format("{} variable of {} bytes that the module leaves 0",
                                         v.space == isa::Space::constant ? "constant" : "global", v.bytes) +
                             (part.elements.empty() ? "" : ": " + accesses(part));
    constexpr std::size_t kMost = 32;  // of the same member that anybody wants to read
    const std::size_t held = part.elements.size() == 1 ? v.bytes / part.bytes : 1;
    symbols_.push_back(
        !part.targets.empty()
            ? addresses(part, v.name, note, held == 0 || held > kMost ? 1 : held)
            : Entry{v.name, fmt::format("{{\"type\": \"{}\", \"values\": [\"?\"]}}", type), note});
  }

  /// Variables that hold something already.
  std::string kept_note() const {
    std::string names;
    for (const isa::ModuleVariable& v : module_.variables())
      if (!isa::is_of_run_time(v.name) && facts_.variables.contains(v.address) && !v.initial.empty())
        names += fmt::format("{}{} ({} bytes)", names.empty() ? "" : ", ", v.name, v.bytes);
    return names.empty() ? ""
                         : "  // As the module has them, unless \"symbols\" says otherwise: " + names + ".\n";
  }

  static std::string extents(int dimensions) {
    std::string out = "[\"?\"";
    for (int d = 1; d < dimensions; ++d) out += ", \"?\"";
    return out + "]";
  }

  std::string block() const {
    const auto& r = program_.required_threads;
    return r[0] ? fmt::format("[{}, {}, {}]", r[0], r[1], r[2]) : extents(facts_.block_dimensions);
  }
  std::string block_note() const {
    if (program_.required_threads[0]) return "  // the kernel requires it";
    return program_.max_threads ? fmt::format("  // up to {} threads", program_.max_threads) : "";
  }
  std::string shared_note() const {
    return program_.shared_bytes ? fmt::format("  // {} bytes of shared memory", program_.shared_bytes) : "";
  }

  std::string outputs() const {
    if (outputs_.empty()) return {};
    std::string out;
    for (const std::string& output : outputs_)
      out += fmt::format("{}\n    {{{}{}}}", out.empty() ? "" : ",", output,
                         facts_.float_atomics ? ", \"compare\": {\"relative\": 1e-5}" : "");
    return ",\n  \"outputs\": [" + out + "\n  ]";
  }

  std::string dependences() const {
    std::string out;
    const auto add = [&out](const char* name) {
      out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", name);
    };
    if (facts_.float_atomics) add("atomic-order");
    if (program_.reads_time) add("time");
    if (program_.reads_placement) add("placement");
    return out.empty() ? "" : ",\n  \"depends_on\": [" + out + "]";
  }

  const ptx::Module& module_;
  isa::Program program_;
  KernelFacts facts_;
  std::string ptx_;
  std::vector<Entry> values_, buffers_, symbols_;
  std::vector<std::string> arguments_, outputs_;
};

}  // namespace

std::string draft_launch(const ptx::Module& module, const std::string& mangled_kernel,
                         const std::string& ptx) {
  return Draft(module, mangled_kernel, ptx).text();
}

}  // namespace heddle::launch

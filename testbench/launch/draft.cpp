#include "testbench/launch/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "models/isa/own_variables.h"
#include "models/ptx/function_addresses.h"
#include "testbench/launch/captured_draft.h"
#include "testbench/launch/draft_text.h"
#include "testbench/launch/kernel_arguments.h"
#include "testbench/launch/parameter_facts.h"

namespace heddle::launch {
namespace {

class Draft {
 public:
  /// Prepares the draft of a launch file for `kernel`. `captured`: a captured launch whose values the draft
  /// gets; nullptr: the draft has "?" for all values.
  Draft(const ptx::Module& module, const std::string& kernel, std::string ptx, const TritonMetadata* metadata,
        const CapturedLaunch* captured, const std::string& pages)
      : module_(module),
        program_(ptx::lower_kernel(module, kernel)),
        functions_(ptx::function_addresses(module)),
        facts_(find_facts(program_, module.variables(), module.address_bits(), functions_)),
        ptx_(std::move(ptx)),
        metadata_(metadata) {
    if (captured) captured_.emplace(*captured, facts_, pages, sections_);
  }

  std::string text() {
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) arguments_.push_back(argument(i));
    for (const isa::ModuleVariable& v : module_.variables())
      if (!isa::is_of_run_time(v.name) && facts_.variables.contains(v.address))
        symbol(v, facts_.variables.at(v.address));
    if (captured_) captured_->add_other_buffers();
    std::string plain = program_.kernel;
    for (const ptx::KernelName& name : module_.kernels())
      if (name.mangled == program_.kernel) plain = name.plain;
    std::string out =
        "{\n" + (captured_ ? captured_->introduction() : introduction(plain)) +
        fmt::format("  \"description\": {},\n  \"ptx\": {},\n", json_string(plain), json_string(ptx_)) +
        (captured_ ? captured_->places() : "") + section("values", sections_.values) +
        section("buffers", sections_.buffers) + section("symbols", sections_.symbols) + kept_note();
    out += fmt::format(
        "  \"steps\": [\n"
        "    {{\"kernel\": {},{}\n"
        "     \"grid\": {},\n"
        "     \"block\": {},{}\n",
        json_string(is_unique(plain) ? plain : program_.kernel), shared_note(),
        captured_ ? captured_->grid() : extents(facts_.grid_dimensions), block(), block_note());
    if (metadata_ && metadata_->shared_bytes)
      out += fmt::format("     \"shared_bytes\": {},  // \"shared\" of Triton's metadata\n",
                         metadata_->shared_bytes);
    else if (facts_.dynamic_shared)
      out += fmt::format("     \"shared_bytes\": {},  // of extern __shared__ memory\n",
                         captured_ ? captured_->shared_bytes() : "\"?\"");
    if (program_.grid_workspace) out += "     \"cooperative\": true,\n";
    out += "     \"args\": [\n";
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      out += fmt::format("       {}{}\n", arguments_[i], i + 1 < arguments_.size() ? "," : "");
    out += "     ]}\n  ]" + outputs() + dependences() + "\n}\n";
    return out;
  }

 private:
  bool is_unique(const std::string& plain) const {
    return std::count_if(module_.kernels().begin(), module_.kernels().end(),
                         [&plain](const ptx::KernelName& name) { return name.plain == plain; }) == 1;
  }

  /// Returns "parameter 0" with the parameter's name. Leaves out a name that the compiler generated.
  std::string about(std::size_t index) const {
    const std::string& name = program_.parameters[index].name;
    return fmt::format("parameter {}", index) +
           (name == fmt::format("{}_param_{}", program_.kernel, index) ? "" : ", " + name);
  }

  std::string introduction(const std::string& plain) const {
    return fmt::format(
        "  // Drafted for kernel {} of {}. Replace each \"?\" by a number or an expression over the\n  // "
        "\"values\". Comments give what the code shows. The format: docs/formats/launch.md.\n{}",
        plain, ptx_,
        metadata_ && metadata_->ctas > 1
            ? "  // Triton's metadata asks for clusters of CTAs, which Heddle does not run.\n"
            : "");
  }

  static std::string section(const char* name, const std::vector<DraftEntry>& entries) {
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
    if (captured_ && parts.empty())
      return fmt::format("{{\"bytes\": \"{}\"}}", captured_->hexadecimal(parameter.offset, parameter.bytes));
    const bool whole = parts.size() == 1 && parts[0]->bytes == parameter.bytes;
    if (whole) {
      PartFacts part = *parts[0];
      // If the code's type contradicts the declared type, use the declared type: the code may load a float as
      // bits.
      if (!takes_number(parameter, part.type)) part.type = element_of(parameter.type, parameter.bytes);
      return member(part, name, about(index));
    }
    if (parts.empty() && parameter.shared_pointer)
      return shared_piece({}, name, about(index) + ", not read by the kernel");
    if (parts.empty() && parameter.type != isa::DataType::b8 && parameter.bytes <= 8)
      return fmt::format("{{\"{}\": 0}}", name_of(element_of(parameter.type, parameter.bytes)));
    return structure(parameter, index, parts);
  }

  std::string structure(const isa::KernelParameter& parameter, std::size_t index,
                        const std::vector<const PartFacts*>& parts) {
    std::string out;
    std::uint32_t at = parameter.offset;
    const auto fill = [&](std::uint32_t to) {
      if (to <= at) return;
      const std::string bytes =
          captured_ ? captured_->hexadecimal(at, to - at) : std::string(2 * (to - at), '0');
      out += fmt::format("{}{{\"bytes\": \"{}\"}}", out.empty() ? "" : ", ", bytes);
      at = to;
    };
    for (const PartFacts* part : parts) {
      if (part->offset < at)
        continue;  // skips a part of the parameter block that overlaps the previous member
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
    if (captured_) return captured_->member(part, name, where);
    if (part.shared) return shared_piece(part, name, where);
    if (part.address) {
      buffer(part, name, where);
      return fmt::format("{{\"buffer\": \"{}\"}}", name);
    }
    const char* const unsure =
        part.lost        ? "; kept in local memory where the draft cannot follow it: a number or an address"
        : part.functions ? "; the address of a function, which only kernels know"
                         : "";
    sections_.values.push_back({name, "\"?\"", fmt::format("{}: {}{}", where, name_of(part.type), unsure)});
    return fmt::format("{{\"{}\": \"{}\"}}", name_of(part.type), name);
  }

  std::string shared_piece(const PartFacts& part, const std::string& name, const std::string& where) {
    const std::string use = part.elements.empty() ? std::string() : ", " + accesses(part);
    sections_.values.push_back(
        {name + "_bytes", "\"?\"", where + ": bytes of shared memory (a __local pointer of OpenCL)" + use});
    return fmt::format("{{\"shared\": \"{}_bytes\"}}", name);
  }

  void buffer(const PartFacts& part, const std::string& name, const std::string& where) {
    const ElementType type = buffer_type(part);
    std::string note = where + ": " + accesses(part);
    if (part.stride > bytes_of(part.elements.front()) && part.targets.empty())
      note += fmt::format(", at multiples of {} bytes", part.stride);
    if (part.functions)
      note += "; holds addresses of functions, which only kernels know: one before this must write them";
    if (!part.targets.empty()) {
      sections_.buffers.push_back(addresses(part, name, note));
    } else {
      // A random integer could be an index out of range. Therefore, draft random integers only for a buffer
      // that the kernel reads and does not write.
      const bool chosen = part.functions  ? false
                          : is_real(type) ? part.read
                                          : part.read && !part.written && !part.atomics;
      const std::string init =
          chosen
              ? fmt::format(", \"init\": {{\"kind\": \"uniform\", \"low\": 0, \"high\": {}, \"seed\": {}}}",
                            is_real(type) ? "1" : "\"?\"", sections_.buffers.size() + 1)
              : "";
      sections_.buffers.push_back(
          {name, fmt::format("{{\"type\": \"{}\", \"count\": \"?\"{}}}", name_of(type), init), note});
    }
    if (part.written) sections_.outputs.push_back(fmt::format("\"buffer\": \"{}\"", name));
  }

  std::vector<std::string> tables() const {
    std::vector<std::string> found;
    const std::size_t width = static_cast<std::size_t>(module_.address_bits()) / 8;
    for (const isa::ModuleVariable& v : module_.variables())
      for (std::size_t at = 0; at + width <= v.initial.size(); at += width) {
        const auto type = width == 4 ? ElementType::u32 : ElementType::u64;
        if (!functions_.contains(element_bits(type, v.initial.data() + at))) continue;
        const std::string offset = at == 0 ? "" : fmt::format(", \"offset_bytes\": {}", at);
        found.push_back(fmt::format("{{\"symbol\": {}{}}}", json_string(v.name), offset));
        break;
      }
    return found;
  }
  DraftEntry addresses(const PartFacts& part, const std::string& name, const std::string& note,
                       std::size_t count = 1) {
    if (const auto known = tables(); part.targets[0].functions && !known.empty()) {
      return {name,
              fmt::format("{{\"type\": \"{}\", \"init\": {{\"kind\": \"members\", \"members\": [{}]}}}}",
                          name_of(buffer_type(part)), fmt::join(known, ", ")),
              note +
                  ": addresses of tables of functions, in the order and number that the kernel expects; "
                  "those of the "
                  "module are named"};
    }
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
      sections_.outputs.push_back(fmt::format("\"symbol\": {}, \"type\": \"{}\"", json_string(v.name), type));
    if (!v.initial.empty() || captured_) return;
    const std::string note = fmt::format("{} variable of {} bytes that the module leaves 0",
                                         v.space == isa::Space::constant ? "constant" : "global", v.bytes) +
                             (part.elements.empty() ? "" : ": " + accesses(part));
    constexpr std::size_t kMost = 32;
    const std::size_t held = part.elements.size() == 1 ? v.bytes / part.bytes : 1;
    sections_.symbols.push_back(
        !part.targets.empty()
            ? addresses(part, v.name, note, held == 0 || held > kMost ? 1 : held)
            : DraftEntry{v.name, fmt::format("{{\"type\": \"{}\", \"values\": [\"?\"]}}", type), note});
  }

  /// Returns a comment that names the module variables which have initial contents in the PTX.
  std::string kept_note() const {
    if (captured_) return {};
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
    if (captured_) return captured_->block();
    const auto& r = program_.required_threads;
    if (!r[0] && metadata_) return fmt::format("[{}]", metadata_->threads);
    return r[0] ? fmt::format("[{}, {}, {}]", r[0], r[1], r[2]) : extents(facts_.block_dimensions);
  }
  std::string block_note() const {
    if (program_.required_threads[0]) return "  // the kernel requires it";
    if (metadata_) return "  // \"num_warps\" of Triton's metadata";
    return program_.max_threads ? fmt::format("  // up to {} threads", program_.max_threads) : "";
  }
  std::string shared_note() const {
    return program_.shared_bytes ? fmt::format("  // {} bytes of shared memory", program_.shared_bytes) : "";
  }

  std::string outputs() const {
    // Without the key "outputs", a run compares every buffer. So omit the key if captured memory contains
    // addresses: sections_.outputs may then lack buffers to which the kernel writes through these addresses.
    // Float atomics need the key, which states their tolerance.
    if (sections_.outputs.empty() || (captured_ && captured_->keeps_places() && !facts_.float_atomics))
      return {};
    std::string out;
    for (const std::string& output : sections_.outputs)
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
    if (program_.reads_time()) add("time");
    if (program_.reads_placement()) add("placement");
    return out.empty() ? "" : ",\n  \"depends_on\": [" + out + "]";
  }

  const ptx::Module& module_;
  isa::Program program_;
  std::set<std::uint64_t> functions_;
  KernelFacts facts_;
  std::string ptx_;
  const TritonMetadata* metadata_;
  DraftSections sections_;
  std::vector<std::string> arguments_;
  std::optional<CapturedDraft> captured_;
};

}  // namespace

std::string draft_launch(const ptx::Module& module, const std::string& mangled_kernel, const std::string& ptx,
                         const TritonMetadata* metadata) {
  return Draft(module, mangled_kernel, ptx, metadata, nullptr, {}).text();
}

std::string draft_launch(const ptx::Module& module, const CapturedLaunch& captured, const std::string& ptx,
                         const std::string& pages) {
  return Draft(module, captured.step().kernel, ptx, nullptr, &captured, pages).text();
}

}  // namespace heddle::launch

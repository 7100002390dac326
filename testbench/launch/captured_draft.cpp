#include "testbench/launch/captured_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::launch {
namespace {

std::string text_of(const BufferSpec& spec, ElementType type, bool with_address) {
  const std::string variable =
      spec.variable.empty() ? "" : fmt::format(", \"variable\": {}", json_string(spec.variable));
  return fmt::format("{{\"type\": \"{}\", {}{}}}", name_of(type),
                     CapturedLaunch::contents(spec, type, with_address), variable);
}

}  // namespace

CapturedDraft::CapturedDraft(const CapturedLaunch& captured, const KernelFacts& facts, std::string pages,
                             DraftSections& sections)
    : captured_(captured),
      pages_(std::move(pages)),
      sections_(sections),
      keeps_places_(memory_holds_addresses(facts)) {}

bool CapturedDraft::memory_holds_addresses(const KernelFacts& facts) const {
  const auto holds = [this](const PartFacts& part) {
    return part.lost || !part.targets.empty() ||
           (!part.address && part.bytes == 8 && captured_.find(captured_.number(part.offset, part.bytes)));
  };
  return std::any_of(facts.parts.begin(), facts.parts.end(), holds) || captured_.variables_hold_addresses();
}

std::string CapturedDraft::introduction() const {
  return fmt::format(
      "  // Drafted from {}. Buffers hold what was captured; for other contents or sizes put \"init\" or\n"
      "  // \"file\" in the place of \"pages\" and \"hash\".{} The format: docs/formats/launch.md.\n",
      captured_.file().path, keeps_places_ ? " Memory holds addresses: a buffer keeps its \"address\"." : "");
}

std::string CapturedDraft::places() const {
  const ptx::VariableSpace& at = captured_.file().variables_at;
  return fmt::format("  \"variables_at\": {{\"global\": {}, \"constant\": {}}},\n  \"pages\": {},\n",
                     at.global, at.constant, json_string(pages_));
}

std::string CapturedDraft::number(const Expression& e) {
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  return fmt::format("{}", e.evaluate({}, 0, kMost));
}

std::string CapturedDraft::extents(const std::array<Expression, 3>& extents) {
  return fmt::format("[{}, {}, {}]", number(extents[0]), number(extents[1]), number(extents[2]));
}

std::string CapturedDraft::member(const PartFacts& part, const std::string& name, const std::string& where) {
  const auto place = part.address ? captured_.find(captured_.number(part.offset, part.bytes)) : std::nullopt;
  if (place) return address(part, *place, name, where);
  const std::string text = captured_.text(part.offset, part.type);
  if (text.empty()) return fmt::format("{{\"bytes\": \"{}\"}}", hexadecimal(part.offset, part.bytes));
  sections_.values.push_back({name, text, fmt::format("{}: {}", where, name_of(part.type))});
  return fmt::format("{{\"{}\": \"{}\"}}", name_of(part.type), name);
}

std::string CapturedDraft::address(const PartFacts& part, const CapturedLaunch::Place& place,
                                   const std::string& name, const std::string& where) {
  const BufferSpec& spec = *place.buffer;
  const std::string offset =
      place.offset ? fmt::format(", \"offset_bytes\": {}", place.offset) : std::string();
  if (!spec.variable.empty()) return fmt::format("{{\"symbol\": {}{}}}", json_string(spec.variable), offset);
  const auto [known, first] = names_.emplace(&spec, name);
  if (first) {
    ElementType type = part.elements.empty() ? spec.type : buffer_type(part);
    if (spec.source.pages.bytes % bytes_of(type) != 0) type = spec.type;
    sections_.buffers.push_back({name, text_of(spec, type, keeps_places_),
                                 where + (part.elements.empty() ? "" : ": " + accesses(part))});
  }
  const std::string output = fmt::format("\"buffer\": \"{}\"", known->second);
  std::vector<std::string>& outputs = sections_.outputs;
  if (part.written && std::find(outputs.begin(), outputs.end(), output) == outputs.end())
    outputs.push_back(output);
  return fmt::format("{{\"buffer\": \"{}\"{}}}", known->second, offset);
}

void CapturedDraft::add_other_buffers() {
  for (const BufferSpec& spec : captured_.file().buffers)
    if (!names_.contains(&spec) && (keeps_places_ || !spec.variable.empty()))
      sections_.buffers.push_back(
          {spec.name, text_of(spec, spec.type, true),
           spec.variable.empty() ? "no parameter names it" : "a variable of the module"});
}

}  // namespace heddle::launch

#include "models/ptx/sampler_initializer.h"

#include <array>
#include <cstring>
#include <string_view>

#include "models/isa/texture.h"
#include "models/ptx/token_cursor.h"

namespace heddle::ptx {
namespace {

std::uint32_t word_of(TokenCursor& cursor) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 7> kWords = {
      {{"wrap", 0},
       {"mirror", 1},
       {"clamp_ogl", 2},
       {"clamp_to_edge", 3},
       {"clamp_to_border", 4},
       {"nearest", 0},
       {"linear", 1}}};
  if (cursor.peek().kind == TokenKind::integer) return cursor.expect_integer("a value") != 0 ? 1 : 0;
  for (const auto& [name, value] : kWords)
    if (cursor.peek().text == name) {
      cursor.next();
      return value;
    }
  cursor.fail("unknown value " + describe(cursor.peek()) + " of a sampler",
              "wrap mirror clamp_ogl clamp_to_edge clamp_to_border nearest linear 0 1");
}

void read_field(TokenCursor& cursor, isa::TextureHeader& header) {
  const Token name = cursor.peek();
  cursor.expect_identifier("a field of the sampler");
  cursor.expect("=", "a field of the sampler");
  const std::uint32_t value = word_of(cursor);
  if (name.text == "filter_mode") {
    header.filter = static_cast<isa::FilterMode>(value);
  } else if (name.text.starts_with("addr_mode_") && name.text.size() == 11 && name.text[10] >= '0' &&
             name.text[10] <= '2') {
    header.address[static_cast<std::size_t>(name.text[10] - '0')] = static_cast<isa::AddressMode>(value);
  } else if (name.text == "force_unnormalized_coords") {
    header.force_unnormalized = value;
  } else {
    cursor.source().fail(name.position, "unknown field " + describe(name) + " of a sampler",
                         "filter_mode addr_mode_0 addr_mode_1 addr_mode_2 force_unnormalized_coords");
  }
}

}  // namespace

std::vector<std::uint8_t> initial_header(const ModuleData& module, const Variable& v) {
  isa::TextureHeader header;
  const bool initialised = v.initializer.begin != v.initializer.end;
  if (initialised && v.opaque != OpaqueType::sampler)
    module.source.fail(v.position, "not supported: initial values of a texture or surface",
                       "the host's binding");
  if (v.opaque == OpaqueType::sampler) {
    header.kind = isa::HeaderKind::sampler;
    header.normalized = 1;
    TokenCursor cursor(module.source, module.tokens, v.initializer);
    if (initialised) {
      cursor.expect("{", "\"=\"");
      do read_field(cursor, header);
      while (cursor.accept(","));
      cursor.expect("}", "the fields of a sampler");
    }
  }
  std::vector<std::uint8_t> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace heddle::ptx

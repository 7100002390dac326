#include "tests/on_gpu/texture_probe.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/isa/address_map.h"
#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

constexpr std::uint64_t kTexels = isa::kBuffers + 0x4'0000'0000;

std::vector<std::uint8_t> random_texels(const isa::TextureHeader& header, std::mt19937_64& random) {
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  for (std::uint8_t& byte : texels) byte = static_cast<std::uint8_t>(random());
  const auto put = [&](std::size_t at, auto value) { std::memcpy(texels.data() + at, &value, sizeof value); };
  if (header.type == isa::ChannelType::f32) {
    for (std::size_t at = 0; at + 4 <= texels.size(); at += 4)
      put(at, static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-22 - 2));
  } else if (header.type == isa::ChannelType::f16) {
    for (std::size_t at = 0; at + 2 <= texels.size(); at += 2)
      put(at, static_cast<std::uint16_t>((random() & 0x83ff) | (12 + random() % 6) << 10));
  }
  return texels;
}

semantics::TableForm form_of(const std::string& instruction,
                             const std::vector<std::vector<std::uint64_t>>& rows) {
  semantics::TableForm form;
  form.name = instruction;
  const bool whole = instruction.substr(instruction.size() - 3) == "s32";
  const bool layered = instruction.find(".a") != std::string::npos;
  std::string list;
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    const std::string name = "x" + std::to_string(i);
    form.inputs.push_back({name, whole || (layered && i == 0) ? "b32" : "f32"});
    list += (i ? ", %" : "%") + name;
  }
  // PTX writes three coordinates as a vector of four.
  if (rows.front().size() == 3) list += ", %" + form.inputs.back().name;
  form.outputs = {{"r", "b32"}, {"g", "b32"}, {"b", "b32"}, {"a", "b32"}};
  form.parameters = {{std::vector<std::uint8_t>(8), ".param .u64 $_handle"}};
  const std::uint64_t handle = isa::kTextureHeaders;
  std::memcpy(form.parameters.front().bytes.data(), &handle, sizeof handle);
  form.declarations = {".reg .b64 %h;"};
  form.body = {"ld.param.u64 %h, [$_handle];", instruction + " {%r, %g, %b, %a}, [%h, {" + list + "}];"};
  for (const auto& inputs : rows) form.rows.push_back({0, inputs, {}, {}});
  spread_rows(form);
  return form;
}

}  // namespace

TextureProbe::TextureProbe(std::string instruction, const isa::TextureHeader& header, std::mt19937_64& random)
    : TextureProbe(std::move(instruction), header, random_texels(header, random)) {}

LooksOfBoth TextureProbe::look(const Driver& gpu,
                               const std::vector<std::vector<std::uint64_t>>& coordinates) const {
  const semantics::TableForm form = form_of(instruction_, coordinates);
  RowsRun run(form);
  isa::TextureHeader header = header_;
  header.base = kTexels;
  std::ranges::copy(texels_, run.memory().allocate_at("texels", kTexels, texels_.size()).data.begin());
  auto& place = run.memory().allocate_at("header", isa::kTextureHeaders, sizeof header, true);
  std::memcpy(place.data.data(), &header, sizeof header);
  launch::ReferenceExecutor reference;
  const std::array<std::vector<std::uint8_t>, 2> outputs = {run.run(reference), run_on_gpu(gpu, run)};
  LooksOfBoth both;
  for (std::size_t row = 0; row < coordinates.size(); ++row) {
    Texel ours, theirs;
    for (std::size_t c = 0; c < 4; ++c) {
      ours[c] = semantics::output_bits(form, outputs[0], row, c);
      theirs[c] = semantics::output_bits(form, outputs[1], row, c);
    }
    both.heddle.push_back(ours);
    both.gpu.push_back(theirs);
  }
  return both;
}

std::string TextureProbe::texel_text() const {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(texels_.size(), 256); ++i)
    text += {kDigits[texels_[i] >> 4], kDigits[texels_[i] & 15]};
  return text;
}

}  // namespace heddle::on_gpu

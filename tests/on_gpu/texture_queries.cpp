#include <cstring>

#include "models/isa/address_map.h"
#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/on_gpu/texture_probe.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

using isa::ChannelOrder;
using isa::ChannelType;

isa::TextureHeader header_of(isa::HeaderKind kind, ChannelType type, ChannelOrder order) {
  isa::TextureHeader header;
  header.kind = kind;
  header.type = type;
  header.order = order;
  header.width = 7;
  header.height = 5;
  header.depth = 3;
  isa::complete(header, isa::TextureShape::d3);
  header.base = isa::kBuffers + 0x4'0000'0000;
  return header;
}

std::array<std::uint64_t, 2> answers(const Driver& gpu, const std::string& query,
                                     const isa::TextureHeader& header) {
  semantics::TableForm form;
  form.name = query;
  form.outputs = {{"d", "b32"}};
  form.parameters = {{std::vector<std::uint8_t>(8), ".param .u64 $_handle"}};
  const std::uint64_t handle = isa::kTextureHeaders;
  std::memcpy(form.parameters.front().bytes.data(), &handle, sizeof handle);
  form.declarations = {".reg .b64 %h;"};
  form.body = {"ld.param.u64 %h, [$_handle];", query + ".b32 %d, [%h];"};
  form.rows.push_back({});
  spread_rows(form);
  RowsRun run(form);
  run.memory().allocate_at("texels", header.base, isa::extent_bytes(header));
  auto& place = run.memory().allocate_at("header", handle, sizeof header, true);
  std::memcpy(place.data.data(), &header, sizeof header);
  launch::ReferenceExecutor reference;
  return {semantics::output_bits(form, run.run(reference), 0, 0),
          semantics::output_bits(form, run_on_gpu(gpu, run), 0, 0)};
}

}  // namespace

boost::json::object check_queries(const Driver& gpu) {
  constexpr std::array<std::pair<ChannelType, ChannelOrder>, 5> kFormats = {
      {{ChannelType::f32, ChannelOrder::rgba},
       {ChannelType::u8, ChannelOrder::rgba},
       {ChannelType::unorm8, ChannelOrder::rg},
       {ChannelType::s16, ChannelOrder::r},
       {ChannelType::f16, ChannelOrder::rg}}};
  boost::json::array cases;
  for (const char* const query :
       {"txq.width", "txq.height", "txq.depth", "txq.channel_data_type", "txq.channel_order", "suq.width",
        "suq.height", "suq.depth", "suq.channel_data_type", "suq.channel_order"})
    for (const auto& [type, order] : kFormats) {
      const bool texture = query[0] == 't';
      if (!texture && type == ChannelType::unorm8) continue;
      boost::json::object result{
          {"form", query}, {"type", static_cast<int>(type)}, {"order", static_cast<int>(order)}};
      try {
        const auto kind = texture ? isa::HeaderKind::texture : isa::HeaderKind::surface;
        const auto [ours, theirs] = answers(gpu, query, header_of(kind, type, order));
        Differences differences(ValueKind::bits);
        differences.add({}, ours, theirs);
        result["answer"] = differences.json();
      } catch (const std::exception& error) {
        result["error"] = error.what();
      }
      cases.push_back(std::move(result));
    }
  return {{"cases", std::move(cases)}};
}

}  // namespace heddle::on_gpu

#include <algorithm>
#include <cstring>

#include "models/isa/address_map.h"
#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/gpu_executor.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/on_gpu/texture_probe.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

constexpr std::uint64_t kTexels = isa::kBuffers + 0x4'0000'0000;

struct Access {
  const char* width;
  int elements;
  isa::ChannelType type;
  isa::ChannelOrder order;
};
constexpr std::array<Access, 8> kAccesses = {{{"b8", 1, isa::ChannelType::u8, isa::ChannelOrder::r},
                                              {"b8", 4, isa::ChannelType::u8, isa::ChannelOrder::rgba},
                                              {"b16", 1, isa::ChannelType::u16, isa::ChannelOrder::r},
                                              {"b16", 2, isa::ChannelType::u16, isa::ChannelOrder::rg},
                                              {"b32", 1, isa::ChannelType::u32, isa::ChannelOrder::r},
                                              {"b32", 2, isa::ChannelType::u32, isa::ChannelOrder::rg},
                                              {"b32", 4, isa::ChannelType::u32, isa::ChannelOrder::rgba},
                                              {"b64", 1, isa::ChannelType::u32, isa::ChannelOrder::rg}}};

isa::TextureHeader header_of(const Access& access, isa::TextureShape shape) {
  isa::TextureHeader header;
  header.kind = isa::HeaderKind::surface;
  header.type = access.type;
  header.order = access.order;
  header.width = 61;
  if (shape != isa::TextureShape::d1) header.height = 37;
  if (shape == isa::TextureShape::d3) header.depth = 5;
  isa::complete(header, shape);
  header.base = kTexels;
  return header;
}

/// Returns a table entry in which each thread reads one texel in or around the surface, and writes a texel
/// that no other thread accesses.
semantics::TableForm form_of(const Access& access, const isa::TextureHeader& header, const std::string& shape,
                             const std::string& outside, std::size_t rows) {
  semantics::TableForm form;
  form.name = "surface " + shape + " " + access.width;
  const int coordinates = shape == "1d" ? 1 : shape == "2d" ? 2 : 3;
  const std::string vector = access.elements == 1 ? "" : ".v" + std::to_string(access.elements);
  const std::string type = std::string(access.width) == "b64"   ? "b64"
                           : std::string(access.width) == "b32" ? "b32"
                                                                : "b16";
  const auto list = [&](const char* name) {
    std::string text;
    for (int i = 0; i < coordinates; ++i) text += (i ? ", %" : "%") + std::string(name) + std::to_string(i);
    return coordinates == 3 ? text + ", %" + name + "2" : text;
  };
  std::string values;
  for (int i = 0; i < access.elements; ++i) {
    form.outputs.push_back({"v" + std::to_string(i), type});
    values += (i ? ", %v" : "%v") + std::to_string(i);
  }
  for (const char* name : {"x", "w"})
    for (int i = 0; i < coordinates; ++i) form.inputs.push_back({name + std::to_string(i), "b32"});
  form.parameters = {{std::vector<std::uint8_t>(8), ".param .u64 $_from"},
                     {std::vector<std::uint8_t>(8), ".param .u64 $_to"}};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t handle = isa::kTextureHeaders + i * sizeof header;
    std::memcpy(form.parameters[i].bytes.data(), &handle, sizeof handle);
  }
  form.declarations = {".reg .b64 %from, %to;"};
  const std::string tail = "." + shape + vector + "." + access.width + "." + outside;
  form.body = {"ld.param.u64 %from, [$_from];", "ld.param.u64 %to, [$_to];",
               "suld.b" + tail + " {" + values + "}, [%from, {" + list("x") + "}];",
               "sust.b" + tail + " [%to, {" + list("w") + "}], {" + values + "};"};
  std::mt19937_64 random(5);
  const int texel = static_cast<int>(header.texel_bytes);
  const std::size_t texels = std::size_t{header.width} * header.height * header.depth;
  rows = std::min(rows, texels);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto place = [&](std::uint32_t extent) {
      return static_cast<int>(random() % (2 * extent)) - static_cast<int>(extent / 2);
    };
    const std::array<int, 3> from = {place(header.width) * texel, place(header.height), place(header.depth)};
    const std::array<int, 3> to = {static_cast<int>(row % header.width) * texel,
                                   static_cast<int>(row / header.width % header.height),
                                   static_cast<int>(row / header.width / header.height)};
    std::vector<std::uint64_t> inputs;
    for (const auto& at : {from, to})
      for (int i = 0; i < coordinates; ++i)
        inputs.push_back(static_cast<std::uint32_t>(at[static_cast<std::size_t>(i)]));
    form.rows.push_back({0, inputs, {}, {}});
  }
  spread_rows(form);
  return form;
}

boost::json::object check(const Driver& gpu, const Access& access, isa::TextureShape shape,
                          const std::string& outside, std::size_t accesses) {
  const isa::TextureHeader header = header_of(access, shape);
  const semantics::TableForm form = form_of(access, header, isa::name_of(shape), outside, accesses);
  RowsRun run(form);
  std::mt19937_64 random(3);
  std::array<isa::TextureHeader, 2> headers = {header, header};
  headers[1].base += 0x1000'0000;
  for (const isa::TextureHeader& one : headers) {
    auto& texels =
        run.memory().allocate_at("texels" + std::to_string(one.base), one.base, isa::extent_bytes(one));
    for (std::uint8_t& byte : texels.data) byte = static_cast<std::uint8_t>(random());
  }
  auto& place = run.memory().allocate_at("headers", isa::kTextureHeaders, sizeof headers, true);
  std::memcpy(place.data.data(), headers.data(), sizeof headers);
  launch::ReferenceExecutor reference;
  GpuExecutor executor(gpu, {run.ptx()});
  MemoryImage ours = run.memory(), theirs = run.memory();
  const std::array<std::vector<std::uint8_t>, 2> outputs = {run.run(reference, ours),
                                                            run.run(executor, theirs)};
  Differences loads(ValueKind::bits), stores(ValueKind::bits);
  for (std::size_t row = 0; row < form.rows.size(); ++row)
    for (std::size_t c = 0; c < form.outputs.size(); ++c)
      loads.add(form.rows[row].inputs, semantics::output_bits(form, outputs[0], row, c),
                semantics::output_bits(form, outputs[1], row, c));
  const std::uint64_t bytes = isa::extent_bytes(header);
  const std::uint8_t* const a = ours.at(headers[1].base, bytes, "texels");
  const std::uint8_t* const b = theirs.at(headers[1].base, bytes, "texels");
  for (std::uint64_t i = 0; i < bytes; ++i) stores.add({i}, a[i], b[i]);
  return {{"form", form.body[2]}, {"loads", loads.json()}, {"stores", stores.json()}};
}

}  // namespace

boost::json::object check_surfaces(const Driver& gpu, std::size_t accesses) {
  boost::json::array cases;
  for (const Access& access : kAccesses)
    for (const isa::TextureShape shape :
         {isa::TextureShape::d1, isa::TextureShape::d2, isa::TextureShape::d3})
      for (const char* outside : {"zero", "clamp"}) {
        try {
          cases.push_back(check(gpu, access, shape, outside, accesses));
        } catch (const std::exception& error) {
          cases.push_back({{"form", access.width}, {"shape", isa::name_of(shape)}, {"error", error.what()}});
        }
      }
  return {{"cases", std::move(cases)}};
}

}  // namespace heddle::on_gpu

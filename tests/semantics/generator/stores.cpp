#include "groups.h"
#include "memory_access.h"
#include "samples.h"

namespace heddle::semantics {

namespace {

constexpr std::uint64_t kBackground = 0x5a5a5a5a5a5a5a5a;

std::string offset_text(int offset) { return offset == 0 ? "" : "+" + std::to_string(offset); }

std::string source(const Access& access, int i) {
  const std::string column = access.column();
  if (column == "b16") return "%half" + std::to_string(i);
  if (column == "b32") return "%word" + std::to_string(i);
  if (column == "f32") return "%real" + std::to_string(i);
  if (column == "b64") return i == 0 ? "%low" : "%high";
  return "%double" + std::to_string(i);
}

std::string sources(const Access& access) {
  if (access.count == 1) return source(access, 0);
  std::string text = "{";
  for (int i = 0; i < access.count; ++i) text += (i == 0 ? "" : ", ") + source(access, i);
  return text + "}";
}

void add_source_registers(FormWriter& form) {
  form.in("low", "b64").in("high", "b64");
  form.declare(".reg .b16 %half<4>;").declare(".reg .b32 %word<4>;").declare(".reg .f32 %real<4>;");
  form.declare(".reg .f64 %double<2>;").declare(".reg .b64 %background;");
  form.body("mov.b64 {%half0, %half1, %half2, %half3}, %low;");
  form.body("mov.b64 {%word0, %word1}, %low;").body("mov.b64 {%word2, %word3}, %high;");
  for (const char* i : {"0", "1", "2", "3"})
    form.body(std::string("mov.b32 %real") + i + ", %word" + i + ";");
  form.body("mov.b64 %double0, %low;").body("mov.b64 %double1, %high;");
  form.body("mov.b64 %background, 0x5a5a5a5a5a5a5a5a;");
}

/// Returns the expected bytes of the block after the store. Bytes that are not stored keep the background
/// value.
Block stored(const Access& access, const Block& in) {
  Block block = block_of(kBackground, kBackground);
  const std::size_t bytes = static_cast<std::size_t>(access.element_bits() / 8);
  // 8-bit elements are the low bytes of 16-bit registers.
  const std::size_t stride = std::max<std::size_t>(bytes, 2);
  for (std::size_t i = 0; i < static_cast<std::size_t>(access.count); ++i) {
    for (std::size_t k = 0; k < bytes; ++k)
      block[static_cast<std::size_t>(access.offset()) + i * bytes + k] = in[i * stride + k];
  }
  return block;
}

/// Adds entries that fill the block, store, and read the whole block. A store of too many bytes is then
/// found.
void add_stores(TableWriter& table, const Place& place, const std::vector<Access>& accesses) {
  FormWriter form(place.name);
  add_source_registers(form);
  add_base(form, place);
  const std::string space = place.space.empty() ? "" : "." + place.space;
  for (const Access& access : accesses) {
    form.covers(access.spelled());
    form.body("st" + space + ".b64 [%base], %background;")
        .body("st" + space + ".b64 [%base+8], %background;");
    form.body(access.spelled() + " [%base" + offset_text(access.offset()) + "], " + sources(access) + ";");
    form.out(access.name() + "_low", "b64").body("ld" + space + ".b64 %" + access.name() + "_low, [%base];");
    form.out(access.name() + "_high", "b64")
        .body("ld" + space + ".b64 %" + access.name() + "_high, [%base+8];");
  }
  for (const Block& block : sample_blocks()) {
    std::vector<Expected> outputs;
    for (const Access& access : accesses) {
      const Block after = stored(access, block);
      outputs.emplace_back(low_of(after));
      outputs.emplace_back(high_of(after));
    }
    form.row({low_of(block), high_of(block)}, outputs);
  }
  table.add(form);
}

void add_wide_registers(TableWriter& table) {
  FormWriter form("st.wide-registers");
  add_source_registers(form);
  form.scratch(16);
  for (const char* type : {"u8", "s8", "u16", "s16", "u32", "s32"}) {
    const Access access{"st.global", 1, type};
    for (const std::string source_register : {"%word2", "%high"}) {
      if (access.element_bits() == 32 && source_register == "%word2") continue;
      const std::string name = access.name() + (source_register == "%high" ? "_of_64" : "_of_32");
      form.out(name, "b64").covers(access.spelled());
      form.body("st.global.b64 [%scratch+8], %background;");
      form.body(access.spelled() + " [%scratch+8], " + source_register + ";");
      form.body("ld.global.b64 %" + name + ", [%scratch+8];");
    }
  }
  for (const Block& block : sample_blocks()) {
    std::vector<Expected> outputs;
    for (const int width : {8, 8, 8, 8, 16, 16, 16, 16, 32, 32})
      outputs.emplace_back((kBackground & ~mask_of(width)) | truncate(high_of(block), width));
    form.row({low_of(block), high_of(block)}, outputs);
  }
  table.add(form);
}

void add_parameters(TableWriter& table) {
  FormWriter form("st.param");
  add_source_registers(form);
  const std::vector<std::string> types{"b8",  "u8",  "b16", "u16", "b32", "u32",
                                       "s32", "b64", "u64", "f32", "f64"};
  for (const std::string& type : types) {
    const Access access{"st.param", 1, type};
    const std::string width = std::to_string(access.element_bits());
    const std::string function = "$_echo_" + type;
    const std::string local =
        std::string(access.column()[0] == 'f' ? ".f" : ".b") + std::to_string(width_of(access.column()));
    form.module(".func (.param .align 8 .b8 result[8]) " + function + " (.param .align 8 .b8 argument[8]) {");
    form.module(".reg " + local + " %value;");
    form.module("ld.param." + type + " %value, [argument];");
    form.module("st.param." + type + " [result], %value;");
    form.module("ret; }");
    form.covers("st.param." + type).covers("ld.param." + type).covers("call.uni");
    form.out(access.name(), access.column());
    form.body("{ .param .align 8 .b8 argument[8]; .param .align 8 .b8 result[8];");
    form.body("st.param." + type + " [argument+0], " + source(access, 0) + ";");
    form.body("call.uni (result), " + function + ", (argument);");
    form.body("ld.param." + type + " %" + access.name() + ", [result+0]; }");
  }
  for (const Block& block : sample_blocks()) {
    std::vector<Expected> outputs;
    for (const std::string& type : types) {
      const Access access{"st.param", 1, type};
      const Int128 value = integer_of(low_of(block), access.element_bits(), type[0] == 's');
      outputs.emplace_back(truncate(static_cast<std::uint64_t>(value), width_of(access.column())));
    }
    form.row({low_of(block), high_of(block)}, outputs);
  }
  table.add(form);
}

void add_parameter_structures(TableWriter& table) {
  FormWriter form("st.param.structure");
  add_source_registers(form);
  form.module(".func (.param .align 16 .b8 result[32]) $_swap (.param .align 16 .b8 argument[32]) {");
  form.module(".reg .b32 %w<4>; .reg .f32 %f<4>;");
  form.module("ld.param.v4.b32 {%w0, %w1, %w2, %w3}, [argument];");
  form.module("ld.param.v4.f32 {%f0, %f1, %f2, %f3}, [argument+16];");
  form.module("st.param.v2.f32 [result], {%f3, %f2};");
  form.module("st.param.v2.f32 [result+8], {%f1, %f0};");
  form.module("st.param.v4.b32 [result+16], {%w3, %w2, %w1, %w0};");
  form.module("ret; }");
  for (const char* covered : {"st.param.v4.b32", "st.param.v2.f32", "st.param.v2.b64", "ld.param.v4.b32",
                              "ld.param.v4.f32", "ld.param.v2.b64", "call"})
    form.covers(covered);
  form.body("{ .param .align 16 .b8 argument[32]; .param .align 16 .b8 result[32];");
  form.body("st.param.v4.b32 [argument], {%word0, %word1, %word2, %word3};");
  form.body("st.param.v2.b64 [argument+16], {%low, %high};");
  form.body("call (result), $_swap, (argument);");
  form.body("ld.param.v2.b64 {%a, %b}, [result];");
  form.body("ld.param.b64 %c, [result+16]; ld.param.b64 %d, [result+24]; }");
  for (const char* name : {"a", "b", "c", "d"}) form.out(name, "b64");
  const auto swapped = [](std::uint64_t word) { return (word << 32) | (word >> 32); };
  for (const Block& block : sample_blocks()) {
    const std::uint64_t low = swapped(low_of(block));
    const std::uint64_t high = swapped(high_of(block));
    form.row({low_of(block), high_of(block)}, {high, low, high, low});
  }
  table.add(form);
}

}  // namespace

void write_stores(const std::string& folder) {
  TableWriter plain(folder, "stores", "Stores in every state space, parameters of calls");
  for (const std::string memory : {"global", "shared", "local"}) {
    add_stores(plain, {"st." + memory, memory, memory}, all_types("st." + memory));
    add_stores(plain, {"st.generic-" + memory, "", memory},
               memory == "global" ? all_types("st") : few_types("st"));
  }
  add_wide_registers(plain);
  add_parameters(plain);
  add_parameter_structures(plain);

  TableWriter special(folder, "stores_special", "Stores with cache operators and memory orders");
  for (const std::string memory : {"global", "shared"})
    add_stores(special, {"st.volatile." + memory, memory, memory}, usual_types("st.volatile." + memory));
  add_stores(special, {"st.volatile", "", "global"}, few_types("st.volatile"));
  for (const std::string cache : {"wb", "cg", "cs", "wt"}) {
    add_stores(special, {"st.global." + cache, "global", "global"}, few_types("st.global." + cache));
    std::vector<Access> accesses = few_types("st." + cache);
    for (const char* type : {"u32", "u64"}) accesses.push_back({"st." + cache, 2, type});
    add_stores(special, {"st." + cache, "", "global"}, accesses);
  }
  for (const std::string scope : {"cta", "gpu", "sys"}) {
    for (const std::string space : {"", "global", "shared"}) {
      for (const std::string order : {"relaxed", "release"}) {
        const std::string prefix = "st." + order + "." + scope + (space.empty() ? "" : "." + space);
        std::vector<Access> accesses = few_types(prefix);
        if (order == "relaxed" && space.empty()) {
          accesses.push_back({prefix, 2, "u32"});
          accesses.push_back({prefix, 2, "u64"});
        }
        add_stores(special, {prefix, space, space == "shared" ? "shared" : "global"}, accesses);
      }
    }
  }
}

}  // namespace heddle::semantics

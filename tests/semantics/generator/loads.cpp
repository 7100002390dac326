#include "groups.h"
#include "memory_access.h"
#include "samples.h"

namespace heddle::semantics {

namespace {

std::string offset_text(int offset) { return offset == 0 ? "" : "+" + std::to_string(offset); }

std::string destinations(const Access& access) {
  if (access.count == 1) return "%" + access.name();
  std::string text = "{";
  for (int i = 0; i < access.count; ++i)
    text += (i == 0 ? "%" : ", %") + access.name() + "_" + std::to_string(i);
  return text + "}";
}

void add_columns(FormWriter& form, const Access& access) {
  form.covers(access.spelled());
  for (int i = 0; i < access.count; ++i)
    form.out(access.name() + (access.count == 1 ? "" : "_" + std::to_string(i)), access.column());
}

void append_values(std::vector<Expected>& outputs, const Access& access, const Block& block) {
  for (int i = 0; i < access.count; ++i) {
    std::uint64_t bits = 0;
    const int bytes = access.element_bits() / 8;
    for (int k = 0; k < bytes; ++k)
      bits |= static_cast<std::uint64_t>(block[static_cast<std::size_t>(access.offset() + i * bytes + k)])
              << (8 * k);
    const Int128 integer = integer_of(bits, access.element_bits(), access.type[0] == 's');
    outputs.emplace_back(truncate(static_cast<std::uint64_t>(integer), width_of(access.column())));
  }
}

std::vector<Expected> values(const std::vector<Access>& accesses, const Block& block) {
  std::vector<Expected> outputs;
  for (const Access& access : accesses) append_values(outputs, access, block);
  return outputs;
}

void add_loads(FormWriter& form, const std::vector<Access>& accesses, const std::string& base) {
  for (const Access& access : accesses) {
    add_columns(form, access);
    form.body(access.spelled() + " " + destinations(access) + ", [" + base + offset_text(access.offset()) +
              "];");
  }
}

void add_written(TableWriter& table, const Place& place, const std::vector<Access>& accesses) {
  FormWriter form(place.name);
  form.in("low", "b64").in("high", "b64");
  add_base(form, place);
  const std::string store = place.space.empty() ? "st.b64 [%base" : "st." + place.space + ".b64 [%base";
  form.body(store + "], %low;").body(store + "+8], %high;");
  add_loads(form, accesses, "%base");
  for (const Block& block : sample_blocks())
    form.row({low_of(block), high_of(block)}, values(accesses, block));
  table.add(form);
}

void add_read_only(TableWriter& table, const std::string& name, const std::vector<Access>& accesses) {
  FormWriter form(name);
  form.in("low", "b64").in("high", "b64");
  add_loads(form, accesses, "%in");
  for (const Block& block : sample_blocks())
    form.row({low_of(block), high_of(block)}, values(accesses, block));
  table.add(form);
}

void add_constants(TableWriter& table) {
  FormWriter form("ld.const");
  const std::vector<Block> blocks = sample_blocks();
  std::string bytes;
  for (const Block& block : blocks) {
    for (const std::uint8_t byte : block) bytes += (bytes.empty() ? "" : ", ") + std::to_string(byte);
  }
  form.module(".const .align 16 .b8 $_data[" + std::to_string(16 * blocks.size()) + "] = {" + bytes + "};");
  form.declare(".reg .b64 %base, %offset;");
  form.body("mul.wide.u32 %offset, %row, 16;")
      .body("mov.u64 %base, $_data;")
      .body("add.s64 %base, %base, %offset;");
  const std::vector<Access> accesses = all_types("ld.const");
  add_loads(form, accesses, "%base");
  for (const Block& block : blocks) form.row({}, values(accesses, block));
  table.add(form);
}

std::string block_text(const Block& block) {
  std::string text;
  for (const std::uint8_t byte : block) {
    const char* digits = "0123456789abcdef";
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

void add_parameter_arrays(TableWriter& table) {
  FormWriter form("ld.param.array");
  form.in("n", "imm");
  const std::vector<Block> blocks = sample_blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    form.param(block_text(blocks[i]), ".param .align 16 .b8 $_p" + std::to_string(i) + "[16]");
  const std::vector<Access> accesses = all_types("ld.param");
  add_loads(form, accesses, "$_p{n}");
  for (std::size_t i = 0; i < blocks.size(); ++i)
    form.row_text({std::to_string(i)}, values(accesses, blocks[i]));
  table.add(form);
}

void add_scalar_parameters(TableWriter& table) {
  FormWriter form("ld.param.scalar");
  form.in("n", "imm");
  const std::vector<Block> blocks = sample_blocks();
  std::vector<std::vector<Expected>> rows(blocks.size());
  for (const char* type :
       {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64", "b8", "b16", "b32", "b64"}) {
    const Access access{"ld.param", 1, type};
    add_columns(form, access);
    form.body(access.spelled() + " %" + access.name() + ", [$_" + type + "_{n}];");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::string text = block_text(blocks[i]);
      form.param(text.substr(2 * static_cast<std::size_t>(access.offset()),
                             2 * static_cast<std::size_t>(access.bytes())),
                 std::string(".param .") + type + " $_" + type + "_" + std::to_string(i));
      append_values(rows[i], access, blocks[i]);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) form.row_text({std::to_string(i)}, rows[i]);
  table.add(form);
}

void add_wide_registers(TableWriter& table) {
  FormWriter form("ld.wide-registers");
  form.in("low", "b64").in("high", "b64");
  std::vector<Access> accesses;
  for (const char* type : {"u8", "s8", "u16", "s16", "b8", "b16"}) accesses.push_back({"ld.global", 1, type});
  for (const char* type : {"u32", "s32"}) accesses.push_back({"ld.global", 1, type});
  for (const Access& access : accesses) {
    for (const std::string width : {"32", "64"}) {
      if (access.element_bits() == 32 && width == "32") continue;
      form.out(access.name() + "_in_" + width, "b" + width);
      form.body(access.spelled() + " %" + access.name() + "_in_" + width + ", [%in" +
                offset_text(access.offset()) + "];");
    }
    form.covers(access.spelled());
  }
  for (const Block& block : sample_blocks()) {
    std::vector<Expected> outputs;
    for (const Access& access : accesses) {
      const std::uint64_t half = access.offset() < 8 ? low_of(block) : high_of(block);
      const Int128 value =
          integer_of(half >> (8 * (access.offset() % 8)), access.element_bits(), access.type[0] == 's');
      if (access.element_bits() < 32) outputs.emplace_back(truncate(static_cast<std::uint64_t>(value), 32));
      outputs.emplace_back(static_cast<std::uint64_t>(value));
    }
    form.row({low_of(block), high_of(block)}, outputs);
  }
  table.add(form);
}

std::vector<Access> joined(std::vector<Access> first, const std::vector<Access>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void add_ordered(TableWriter& table) {
  for (const std::string scope : {"cta", "gpu", "sys"}) {
    for (const std::string space : {"", "global", "shared"}) {
      const std::string memory = space == "shared" ? "shared" : "global";
      for (const std::string order : {"relaxed", "acquire"}) {
        const std::string prefix = "ld." + order + "." + scope + (space.empty() ? "" : "." + space);
        std::vector<Access> accesses = few_types(prefix);
        if (order == "relaxed") accesses = joined(accesses, {{prefix, 2, "u32"}, {prefix, 2, "u64"}});
        add_written(table, {prefix, space, memory}, accesses);
      }
    }
  }
}

}  // namespace

void write_loads(const std::string& folder) {
  TableWriter plain(folder, "loads", "Loads in every state space");
  for (const char* memory : {"global", "shared", "local"}) {
    add_written(plain, {std::string("ld.") + memory, memory, memory}, all_types(std::string("ld.") + memory));
    add_written(plain, {std::string("ld.generic-") + memory, "", memory},
                std::string(memory) == "global" ? all_types("ld") : usual_types("ld"));
  }
  add_constants(plain);
  add_parameter_arrays(plain);
  add_scalar_parameters(plain);
  add_wide_registers(plain);
  add_read_only(plain, "ld.global.nc", all_types("ld.global.nc"));
  add_read_only(plain, "ldu.global", usual_types("ldu.global"));

  TableWriter special(folder, "loads_special", "Loads with cache operators and memory orders");
  for (const char* memory : {"global", "shared"}) {
    const std::string prefix = std::string("ld.volatile.") + memory;
    add_written(special, {prefix, memory, memory}, usual_types(prefix));
  }
  add_written(special, {"ld.volatile", "", "global"}, usual_types("ld.volatile"));
  for (const std::string cache : {"ca", "cg", "cs", "lu", "cv"}) {
    add_written(special, {"ld.global." + cache, "global", "global"}, usual_types("ld.global." + cache));
    std::vector<Access> accesses = few_types("ld." + cache);
    for (const char* type : {"u32", "u64"}) accesses.push_back({"ld." + cache, 2, type});
    add_written(special, {"ld." + cache, "", "global"}, accesses);
  }
  add_ordered(special);
}

}  // namespace heddle::semantics

#include <array>

#include "groups.h"
#include "samples.h"
#include "soft_float.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

void add_plain(TableWriter& table) {
  struct Kind {
    std::string column;
    std::vector<std::string> types;
  };
  for (const Kind& kind : {Kind{"b16", {"b16", "u16", "s16"}}, Kind{"b32", {"b32", "u32", "s32"}},
                           Kind{"b64", {"b64", "u64", "s64"}}, Kind{"f32", {"f32"}}, Kind{"f64", {"f64"}},
                           Kind{"pred", {"pred"}}}) {
    std::vector<Pointwise> forms;
    for (const std::string& type : kind.types) {
      forms.push_back(
          {"mov." + type, "d_" + type, kind.column, [](const Words& in) { return Expected(in[0]); }});
    }
    Words words;
    if (kind.column == "pred") {
      for (std::uint64_t i = 0; i < 12; ++i) words.push_back((i >> (i & 1)) & 1);
    } else if (kind.column[0] == 'f') {
      words = float_samples(kind.column == "f32" ? f32 : f64, 4);
    } else {
      words = integer_samples(width_of(kind.column), 4);
    }
    add_pointwise(table, FormWriter("mov." + kind.column).in("a", kind.column), forms, rows_of(words));
  }
}

void add_immediates(TableWriter& table) {
  struct Literal {
    std::string text;
    std::uint64_t value;
  };
  const auto add = [&](const std::string& type, const std::string& column,
                       const std::vector<Literal>& literals) {
    FormWriter form("mov." + type + ".immediate");
    form.covers("mov." + type).in("literal", "imm").out("d", column).body("mov." + type + " %d, {literal};");
    for (const Literal& literal : literals) form.row_text({literal.text}, {literal.value});
    table.add(form);
  };
  add("u32", "b32",
      {{"0", 0},
       {"1", 1},
       {"-1", 0xffffffff},
       {"4294967295", 0xffffffff},
       {"0x7fffffff", 0x7fffffff},
       {"0XABCDEF", 0xabcdef},
       {"017", 15},
       {"0b101", 5},
       {"10U", 10},
       {"0xffU", 255},
       {"-2147483648", 0x80000000},
       {"(3+4)*2", 14},
       {"1<<31", 0x80000000}});
  add("s32", "b32",
      {{"0", 0},
       {"-1", 0xffffffff},
       {"-2147483648", 0x80000000},
       {"2147483647", 0x7fffffff},
       {"-7", 0xfffffff9},
       {"~0", 0xffffffff},
       {"100", 100},
       {"0x10", 16},
       {"-0x10", 0xfffffff0},
       {"5-9", 0xfffffffc},
       {"00", 0},
       {"0b11111111", 255}});
  add("u16", "b16",
      {{"0", 0},
       {"1", 1},
       {"-1", 0xffff},
       {"65535", 0xffff},
       {"255", 255},
       {"256", 256},
       {"0x8000", 0x8000},
       {"32767", 0x7fff},
       {"-32768", 0x8000},
       {"7", 7},
       {"100", 100},
       {"-2", 0xfffe}});
  add("u64", "b64",
      {{"0", 0},
       {"-1", ~0ULL},
       {"4294967296", 1ULL << 32},
       {"0x123456789abcdef0", 0x123456789abcdef0},
       {"-4294967297", 0xfffffffeffffffff},
       {"9223372036854775807", 0x7fffffffffffffff},
       {"-9223372036854775808", 1ULL << 63},
       {"18446744073709551615", ~0ULL},
       {"1", 1},
       {"-2147483648", 0xffffffff80000000},
       {"4294967295", 0xffffffff},
       {"0xffffffffU", 0xffffffff}});
  add("f32", "f32",
      {{"0f3F800000", 0x3f800000},
       {"0f00000000", 0},
       {"0f80000000", 0x80000000},
       {"0f7F800000", 0x7f800000},
       {"0fFF800000", 0xff800000},
       {"0f7FFFFFFF", 0x7fffffff},
       {"0f7fc00001", 0x7fc00001},
       {"0f00000001", 1},
       {"0F40490FDB", 0x40490fdb},
       {"1.5", 0x3fc00000},
       {"0d3FF8000000000000", 0x3fc00000},
       {"0.1", 0x3dcccccd},
       {"-2.5", 0xc0200000},
       {"1e10", 0x501502f9}});
  add("f64", "f64",
      {{"0d3FF0000000000000", 0x3ff0000000000000},
       {"0d0000000000000000", 0},
       {"0d8000000000000000", 1ULL << 63},
       {"0d7FF0000000000000", 0x7ff0000000000000},
       {"0d7FF8000000000001", 0x7ff8000000000001},
       {"0D0000000000000001", 1},
       {"1.5", 0x3ff8000000000000},
       {"0.1", 0x3fb999999999999a},
       {"-3.0", 0xc008000000000000},
       {"1e300", 0x7e37e43c8800759c},
       {"0dFFF0000000000000", 0xfff0000000000000},
       {"0.0", 0}});
}

void add_packing(TableWriter& table) {
  const Words samples = integer_samples(64, 8);
  FormWriter pack("mov.pack");
  pack.in("a", "b16").in("b", "b16").in("c", "b16").in("d", "b16").in("e", "b32").in("f", "b32");
  pack.out("two_halves", "b32").out("two_words", "b64").out("four_halves", "b64");
  pack.covers("mov.b32").covers("mov.b64");
  pack.body("mov.b32 %two_halves, {%a, %b};")
      .body("mov.b64 %two_words, {%e, %f};")
      .body("mov.b64 %four_halves, {%a, %b, %c, %d};");
  FormWriter unpack("mov.unpack");
  unpack.in("a", "b32").in("b", "b64").covers("mov.b32").covers("mov.b64");
  for (const char* name : {"a0", "a1"}) unpack.out(name, "b16");
  for (const char* name : {"low", "high"}) unpack.out(name, "b32");
  for (const char* name : {"b0", "b1", "b2", "b3"}) unpack.out(name, "b16");
  unpack.body("mov.b32 {%a0, %a1}, %a;")
      .body("mov.b64 {%low, %high}, %b;")
      .body("mov.b64 {%b0, %b1, %b2, %b3}, %b;");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint64_t word = samples[i];
    const std::uint64_t other = samples[(i * 5 + 2) % samples.size()];
    const auto part = [&](int k) { return truncate(word >> (16 * k), 16); };
    pack.row({part(0), part(1), part(2), part(3), truncate(word, 32), word >> 32},
             {part(0) | part(1) << 16, word, word});
    unpack.row({truncate(other, 32), word},
               {truncate(other, 16), truncate(other >> 16, 16), truncate(word, 32), word >> 32, part(0),
                part(1), part(2), part(3)});
  }
  table.add(pack);
  table.add(unpack);
}

/// Adds an entry: cvta makes a generic address from the address in `space`. Both addresses must read the same
/// bytes, and cvta.to must return the address in `space`.
void add_addresses(TableWriter& table, const std::string& space) {
  FormWriter form("cvta." + space);
  form.covers("cvta." + space + ".u64").covers("cvta.to." + space + ".u64").covers("mov.u64");
  form.in("value", "b32")
      .in("other", "b32")
      .out("by_generic", "b32")
      .out("by_space", "b32")
      .out("same", "pred")
      .out("inside", "pred");
  if (space == "global") {
    form.module(".global .align 8 .b8 $_area[512];");
  } else {
    form.declare("." + space + " .align 8 .b8 $_area[512];");
  }
  form.declare(".reg .b64 %base, %generic, %back, %offset;");
  form.declare(".reg .pred %inside_other;");
  form.body("mov.u64 %base, $_area;");
  form.body("mul.wide.u32 %offset, %row, 8;");
  form.body("add.s64 %base, %base, %offset;");
  form.body("cvta." + space + ".u64 %generic, %base;");
  form.body("st." + space + ".u32 [%base], %value;");
  form.body("ld.u32 %by_generic, [%generic];");
  form.body("st.u32 [%generic+4], %other;");
  form.body("ld." + space + ".u32 %by_space, [%base+4];");
  form.body("cvta.to." + space + ".u64 %back, %generic;");
  form.body("setp.eq.u64 %same, %back, %base;");
  form.body("isspacep." + space + " %inside, %generic;");
  form.covers("isspacep." + space);
  const Words samples = integer_samples(32, 2);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint64_t other = samples[(i + 4) % samples.size()];
    form.row({samples[i], other}, {samples[i], other, 1, 1});
  }
  table.add(form);
}

void add_space_tests(TableWriter& table) {
  FormWriter form("isspacep");
  const std::vector<std::string> spaces{"global", "shared", "local", "const"};
  form.module(".global .align 4 .b32 $_global;").module(".const .align 4 .b32 $_const[2] = {1, 2};");
  form.declare(".shared .align 4 .b32 $_shared;")
      .declare(".local .align 4 .b32 $_local;")
      .declare(".reg .b64 %address;");
  std::vector<Expected> outputs;
  for (const std::string& from : spaces) {
    form.body("mov.u64 %address, $_" + from + ";");
    form.body("cvta." + from + ".u64 %address, %address;");
    for (const std::string& asked : spaces) {
      form.out(from + "_is_" + asked, "pred")
          .body("isspacep." + asked + " %" + from + "_is_" + asked + ", %address;");
      outputs.emplace_back(from == asked ? 1 : 0);
    }
  }
  for (const std::string& space : spaces) form.covers("isspacep." + space).covers("cvta." + space + ".u64");
  for (int row = 0; row < 12; ++row) form.row({}, outputs);
  table.add(form);
}

void add_constant_addresses(TableWriter& table) {
  FormWriter form("cvta.const");
  form.covers("cvta.const.u64").covers("cvta.to.const.u64").out("by_generic", "b32").out("by_space", "b32");
  std::string values;
  for (int i = 0; i < 16; ++i) values += (i == 0 ? "" : ", ") + std::to_string(1000 + 37 * i);
  form.module(".const .align 4 .u32 $_table[16] = {" + values + "};");
  form.declare(".reg .b64 %base, %generic, %offset;");
  form.body("mov.u64 %base, $_table;")
      .body("mul.wide.u32 %offset, %row, 4;")
      .body("add.s64 %base, %base, %offset;");
  form.body("cvta.const.u64 %generic, %base;").body("ld.u32 %by_generic, [%generic];");
  form.body("cvta.to.const.u64 %base, %generic;").body("ld.const.u32 %by_space, [%base];");
  for (std::uint64_t i = 0; i < 16; ++i) form.row({}, {1000 + 37 * i, 1000 + 37 * i});
  table.add(form);
}

struct SpecialRegister {
  std::string name;
  std::function<std::uint64_t(std::uint64_t thread, std::uint64_t block)> value;
};

/// Adds an entry for special registers. The entry's grid has 2 x 2 x 1 blocks of 5 x 4 x 2 threads, so that
/// the second warp of a block is partial.
void add_special_registers(TableWriter& table) {
  const std::vector<SpecialRegister> registers{
      {"tid.x", [](auto t, auto) { return t % 5; }},
      {"tid.y", [](auto t, auto) { return t / 5 % 4; }},
      {"tid.z", [](auto t, auto) { return t / 20; }},
      {"ntid.x", [](auto, auto) { return 5; }},
      {"ntid.y", [](auto, auto) { return 4; }},
      {"ntid.z", [](auto, auto) { return 2; }},
      {"ctaid.x", [](auto, auto b) { return b % 2; }},
      {"ctaid.y", [](auto, auto b) { return b / 2; }},
      {"ctaid.z", [](auto, auto) { return 0; }},
      {"nctaid.x", [](auto, auto) { return 2; }},
      {"nctaid.y", [](auto, auto) { return 2; }},
      {"nctaid.z", [](auto, auto) { return 1; }},
      {"laneid", [](auto t, auto) { return t % 32; }},
      {"lanemask_eq", [](auto t, auto) { return 1ULL << (t % 32); }},
      {"lanemask_lt", [](auto t, auto) { return mask_of(static_cast<int>(t % 32)); }},
      {"lanemask_le", [](auto t, auto) { return mask_of(static_cast<int>(t % 32) + 1); }},
      {"lanemask_gt", [](auto t, auto) { return truncate(~mask_of(static_cast<int>(t % 32) + 1), 32); }},
      {"lanemask_ge", [](auto t, auto) { return truncate(~mask_of(static_cast<int>(t % 32)), 32); }}};
  FormWriter form("mov.special-registers");
  form.covers("mov.u32").shape("2 2 1", "5 4 2");
  for (const SpecialRegister& special : registers) {
    std::string column = "is_" + special.name;
    for (char& letter : column) letter = letter == '.' ? '_' : letter;
    form.out(column, "b32").body("mov.u32 %" + column + ", %" + special.name + ";");
  }
  for (std::uint64_t block = 0; block < 4; ++block) {
    for (std::uint64_t thread = 0; thread < 40; ++thread) {
      std::vector<Expected> outputs;
      for (const SpecialRegister& special : registers) outputs.emplace_back(special.value(thread, block));
      form.row({}, outputs);
    }
  }
  table.add(form);
}

}  // namespace

void write_moves(const std::string& folder) {
  TableWriter table(folder, "moves", "Moves, immediates, addresses, special registers");
  add_plain(table);
  add_immediates(table);
  add_packing(table);
  for (const char* space : {"global", "shared", "local"}) add_addresses(table, space);
  add_constant_addresses(table);
  add_space_tests(table);
  add_special_registers(table);
}

}  // namespace heddle::semantics

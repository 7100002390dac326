#include <fmt/format.h>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {
namespace {

struct Element {
  const char* type;
  int bytes;
  char kind;
};
const std::vector<Element> kElements = {
    {"u32", 4, 'w'}, {"b32", 4, 'w'}, {"s32", 4, 'w'}, {"f32", 4, 'f'}, {"u64", 8, 'd'}, {"f64", 8, 'g'},
    {"b64", 8, 'd'}, {"u16", 2, 'h'}, {"s16", 2, 'w'}, {"u8", 1, 'h'},  {"s8", 1, 'w'},  {"u8", 1, 'w'},
    {"s8", 1, 'h'},  {"u16", 2, 'd'}, {"s32", 4, 'd'}, {"b16", 2, 'h'}, {"b8", 1, 'h'}};

}  // namespace

void BodyGenerator::memory() {
  switch (dice_.pick(setting_.kernel ? 15 : 6)) {
    case 0:
    case 1:
      return local_access();
    case 2:
      return load_table();
    case 3:
      return address_space();
    case 4:
      return fence();
    case 5:
      return local_access();
    case 6:
    case 7:
      return load_input();
    case 8:
      return load_parameter();
    case 9:
      return own_access();
    case 10:
      return out_store();
    case 11:
      return shared_access();
    case 12:
      return own_atomic();
    case 13:
      return look_up();
    default:
      return common_atomic();
  }
}

void BodyGenerator::load_input() {
  const Element& element = dice_.choose(kElements);
  const int elements = dice_.chance(65) ? 1 : dice_.choose({2, 4});
  const int bytes = elements * element.bytes <= 16 ? elements * element.bytes : 16;
  const int count = bytes / element.bytes;
  line(fmt::format("and.b32 %t0, {}, {};\nmad.~wide.u32 %a0, %t0, {}, %in;", variable('w'),
                   kInBytes / bytes - 1, bytes));
  const std::string how = dice_.choose({".global", ".global", ".global.nc", ".global.ca", ".global.cg",
                                        ".global.cs", ".global.cv", ".global.lu", ".volatile.global",
                                        ".relaxed.gpu.global", ".acquire.cta.global", "", ".volatile"});
  const std::string vector = count == 1 ? "" : fmt::format(".v{}", count);
  line(fmt::format("{}ld{}{}.{} {}, [%a0];", guard(), how, vector, element.type,
                   count == 1 ? variable(element.kind) : run_of(element.kind, count)));
}

void BodyGenerator::load_table() {
  const Element& element = dice_.choose(kElements);
  line(fmt::format("and.b32 %t0, {}, {};\nmul.~wide.u32 %a0, %t0, {};", variable('w'),
                   kTableBytes / element.bytes - 1, element.bytes));
  const bool constant = dice_.chance(60);
  const char* table = constant ? "const_table" : "global_table";
  if (dice_.chance(30)) {
    line(fmt::format("{}ld.{}.{} {}, [{}+{}];", guard(), constant ? "const" : "global", element.type,
                     variable(element.kind), table, element.bytes * dice_.pick(kTableBytes / element.bytes)));
    return;
  }
  line(fmt::format("mov.u~64 %a1, {};\nadd.u~64 %a0, %a0, %a1;", table));
  if (!constant && dice_.chance(40)) line("cvta.global.u~64 %a0, %a0;");
  line(fmt::format("{}ld.{}.{} {}, [%a0];", guard(), constant ? "const" : "global", element.type,
                   variable(element.kind)));
}

void BodyGenerator::load_parameter() {
  switch (dice_.pick(8)) {
    case 0:
      return line(fmt::format("{}ld.param.u32 {}, [p_n];", guard(), variable('w')));
    case 1:
      return line(fmt::format("{}ld.param.f32 {}, [p_x];", guard(), variable('f')));
    case 2:
      return line(fmt::format("{}ld.param.f64 {}, [p_y];", guard(), variable('g')));
    case 3:
      return line(fmt::format("{}ld.param.u16 {}, [p_k];", guard(), variable('h')));
    case 4:
      return line(fmt::format("{}ld.param.s8 {}, [p_b];", guard(), variable('w')));
    case 5:
      return line(fmt::format("{}ld.param.v2.u32 {}, [p_s+8];", guard(), run_of('w', 2)));
    case 6:
      return line(fmt::format(
          "and.b32 %t0, {}, 12;\nmov.b~64 %a0, p_s;\ncvt.u~64.u32 %a1, %t0;\nadd.s~64 %a0, %a0, %a1;\n"
          "{}ld.param.u32 {}, [%a0];",
          variable('w'), guard(), variable('w')));
    default:
      return line(fmt::format("{}ld.param.u64 {}, [p_s];", guard(), variable('d')));
  }
}

void BodyGenerator::own_access() {
  const Element& element = dice_.choose(kElements);
  const int elements = dice_.chance(70) ? 1 : 2;
  const int bytes = elements * element.bytes;
  const std::string vector = elements == 1 ? "" : ".v2";
  std::string address = fmt::format("%own+{}", bytes * dice_.pick(kOwnBytes / bytes));
  if (dice_.chance(30)) {
    line(fmt::format("and.b32 %t0, {}, {};\nmad.~wide.u32 %a0, %t0, {}, %own;", variable('w'),
                     kOwnBytes / bytes - 1, bytes));
    address = "%a0";
  }
  const std::string value = elements == 1 ? variable(element.kind) : run_of(element.kind, elements);
  if (dice_.chance(50)) {
    const std::string how =
        dice_.choose({".global", ".global", ".volatile.global", "", ".global.cg", ".relaxed.gpu.global"});
    return line(fmt::format("{}ld{}{}.{} {}, [{}];", guard(), how, vector, element.type, value, address));
  }
  const std::string how =
      dice_.choose({".global", ".global", ".volatile.global", "", ".global.cs", ".release.gpu.global"});
  line(fmt::format("{}st{}{}.{} [{}], {};", guard(), how, vector, element.type, address, value));
}

void BodyGenerator::out_store() {
  const Element& element = dice_.choose(kElements);
  int elements = dice_.choose({1, 2, 4});
  if (elements * element.bytes > 16) elements = 1;
  const std::string vector = elements == 1 ? "" : fmt::format(".v{}", elements);
  line(fmt::format("{}st.global{}{}.{} [%out+{}], {};", guard(), dice_.choose({"", ".wb", ".cg", ".wt"}),
                   vector, element.type, slot_offset(),
                   elements == 1 ? variable(element.kind) : run_of(element.kind, elements)));
}

void BodyGenerator::shared_access() {
  const Element& element = dice_.choose(kElements);
  int elements = dice_.choose({1, 1, 2, 4});
  if (elements * element.bytes > 16) elements = 1;
  const int bytes = elements * element.bytes;
  const std::string vector = elements == 1 ? "" : fmt::format(".v{}", elements);
  const std::string value = elements == 1 ? variable(element.kind) : run_of(element.kind, elements);
  const int offset = bytes * dice_.pick(16 / bytes);
  std::string address = fmt::format("%shared_own+{}", offset), space = ".shared";
  if (dice_.chance(25)) {
    line("cvt.u~64.u32 %a0, %shared_own;\ncvta.shared.u~64 %a0, %a0;");
    address = fmt::format("%a0+{}", offset);
    space = "";
  }
  const std::string order = dice_.chance(25) ? ".volatile" : "";
  if (dice_.chance(50))
    return line(
        fmt::format("{}ld{}{}{}.{} {}, [{}];", guard(), order, space, vector, element.type, value, address));
  if (bytes >= 4 && !space.empty() && order.empty() && dice_.chance(40))
    return line(fmt::format(
        "{}cp.async.{}.shared.global [{}], [%in+16], {};\n{}", guard(), bytes == 16 ? "cg" : "ca", address,
        bytes, bytes == 4 ? "cp.async.commit_group;\ncp.async.wait_group 0;" : "cp.async.wait_all;"));
  line(fmt::format("{}st{}{}{}.{} [{}], {};", guard(), order, space, vector, element.type, address, value));
}

void BodyGenerator::local_access() {
  const Element& element = dice_.choose(kElements);
  int elements = dice_.choose({1, 1, 2, 4});
  if (elements * element.bytes > 16) elements = 1;
  const int bytes = elements * element.bytes;
  const std::string vector = elements == 1 ? "" : fmt::format(".v{}", elements);
  const std::string value = elements == 1 ? variable(element.kind) : run_of(element.kind, elements);
  std::string address = fmt::format("loc+{}", bytes * dice_.pick(kLocalBytes / bytes)), space = ".local";
  if (dice_.chance(50)) {
    line(fmt::format(
        "and.b32 %t0, {}, {};\nmul.~wide.u32 %a0, %t0, {};\nmov.u~64 %a1, loc;\nadd.u~64 %a0, %a0, %a1;",
        variable('w'), kLocalBytes / bytes - 1, bytes));
    address = "%a0";
    if (dice_.chance(40)) {
      line("cvta.local.u~64 %a0, %a0;");
      space = "";
    }
  }
  if (dice_.chance(50))
    return line(fmt::format("{}ld{}{}.{} {}, [{}];", guard(), space, vector, element.type, value, address));
  line(fmt::format("{}st{}{}.{} [{}], {};", guard(), space, vector, element.type, address, value));
}

// Generates atomics on the thread's own memory, so that the returned value does not depend on the order of
// threads.
void BodyGenerator::own_atomic() {
  const std::string order =
      dice_.choose({"", "", ".relaxed.gpu", ".acquire.cta", ".acq_rel.gpu", ".release.sys"});
  std::string space = ".global", address = "%own";
  if (dice_.chance(45)) {
    space = ".shared";
    address = "%shared_own";
  } else if (dice_.chance(30)) {
    space = "";
  }
  const int word = space == ".shared" ? 4 * dice_.pick(4) : 4 * dice_.pick(16);
  const int pair = space == ".shared" ? 8 * dice_.pick(2) : 8 * dice_.pick(8);
  const std::string result = dice_.chance(80) ? variable('w') : "_";
  switch (dice_.pick(8)) {
    case 7:
      if (dice_.chance(50))
        return line(fmt::format("{}atom{}{}.{} {}, [{}+{}], {};", guard(), order, space,
                                dice_.choose({"add.noftz.f16x2", "add.noftz.bf16x2"}), result, address, word,
                                variable('w')));
      return line(fmt::format("{}atom{}{}.add.noftz.{} {}, [{}+{}], {};", guard(), order, space,
                              dice_.choose({"f16", "bf16"}), variable('h'), address, word + 2,
                              variable('h')));
    case 0:
      return line(
          fmt::format("{}atom{}{}.{} {}, [{}+{}], {};", guard(), order, space,
                      dice_.choose({"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                                    "and.b32", "or.b32", "xor.b32", "exch.b32", "inc.u32", "dec.u32"}),
                      result, address, word, operand('w')));
    case 1:
      return line(fmt::format("{}atom{}{}.cas.b32 {}, [{}+{}], {}, {};", guard(), order, space, variable('w'),
                              address, word, variable('w'), operand('w')));
    case 2:
      return line(fmt::format("{}atom{}{}.{} {}, [{}+{}], {};", guard(), order, space,
                              dice_.choose({"add.u64", "min.u64", "min.s64", "max.u64", "max.s64", "and.b64",
                                            "or.b64", "xor.b64", "exch.b64"}),
                              variable('d'), address, pair, variable('d')));
    case 3:
      return line(fmt::format("{}atom{}{}.cas.b64 {}, [{}+{}], {}, {};", guard(), order, space, variable('d'),
                              address, pair, variable('d'), variable('d')));
    case 4:
      return line(fmt::format("{}atom{}{}.add.f32 {}, [{}+{}], {};", guard(), order, space, variable('f'),
                              address, word, variable('f')));
    case 5:
      return line(fmt::format("{}atom{}{}.add.f64 {}, [{}+{}], {};", guard(), order, space, variable('g'),
                              address, pair, variable('g')));
    default:
      return line(fmt::format(
          "{}red{}{}.{} [{}+{}], {};", guard(), order, space,
          dice_.choose({"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "inc.u32"}), address,
          word, variable('w')));
  }
}

// Generates atomics on memory that all threads share. Each region has one commutative operation, so the order
// of threads does not matter.
void BodyGenerator::common_atomic() {
  struct Operation {
    const char* name;
    bool wide;
    bool bounded;  ///< true for inc and dec, which commute only if all threads use the same bound
  };
  static const std::vector<Operation> operations = {
      {"add.u32", false, false}, {"min.s32", false, false}, {"max.s32", false, false},
      {"min.u32", false, false}, {"max.u32", false, false}, {"and.b32", false, false},
      {"or.b32", false, false},  {"xor.b32", false, false}, {"inc.u32", false, true},
      {"dec.u32", false, true},  {"add.u64", true, false},  {"min.s64", true, false},
      {"max.u64", true, false},  {"and.b64", true, false},  {"or.b64", true, false},
      {"xor.b64", true, false}};
  const int region = dice_.pick(static_cast<int>(operations.size()));
  const Operation& operation = operations[static_cast<std::size_t>(region)];
  const int bytes = operation.wide ? 8 : 4;
  line(fmt::format("and.b32 %t0, {}, {};\nmad.~wide.u32 %a0, %t0, {}, %common;", variable('w'),
                   dice_.choose({0, 3, kRegionBytes / 8 - 1}), bytes));
  const std::string value = operation.bounded ? "1000" : variable(operation.wide ? 'd' : 'w');
  const std::string order = dice_.choose({"", "", ".relaxed.gpu", ".release.cta", ".sys"});
  if (order != ".sys" && dice_.chance(60))
    return line(fmt::format("{}red{}.global.{} [%a0+{}], {};", guard(), order, operation.name,
                            region * kRegionBytes, value));
  line(fmt::format("{}atom{}{}.{} {}, [%a0+{}], {};", guard(), order == ".sys" ? "" : order,
                   order == ".sys" ? ".sys.global" : ".global", operation.name,
                   operation.wide ? "%e1" : "%t1", region * kRegionBytes, value));
}

void BodyGenerator::fence() {
  switch (dice_.pick(5)) {
    case 0:
      return line(fmt::format("{}membar.{};", guard(), dice_.choose({"cta", "gl", "sys"})));
    case 1:
      return line(fmt::format("{}fence.{}.{};", guard(), dice_.choose({"sc", "acq_rel"}),
                              dice_.choose({"cta", "gpu", "sys"})));
    case 2:
      if (!setting_.kernel) return line("prefetch.local.L1 [loc];");
      return line(fmt::format("{}{};", guard(),
                              dice_.choose({"prefetch.global.L1 [%in]", "prefetch.global.L2 [%own]",
                                            "prefetchu.L1 [%in]", "prefetch.L1 [%own]"})));
    case 3:
      return line(fmt::format("{}{};", guard(), dice_.choose({"pmevent 1", "nanosleep.u32 20", "brkpt"})));
    default:
      // The guard is false in every lane, so the trap is never executed.
      return line(fmt::format("setp.ne.u32 %q2, {0}, {0};\n@%q2 trap;", variable('w')));
  }
}

void BodyGenerator::address_space() {
  const std::string to = predicate();
  switch (dice_.pick(4)) {
    case 0:
      return line(fmt::format("mov.u~64 %a0, loc;\ncvta.local.u~64 %a0, %a0;\nisspacep.{} {}, %a0;",
                              dice_.choose({"local", "global", "shared"}), to));
    case 1:
      return line(fmt::format("mov.u~64 %a0, global_table;\ncvta.global.u~64 %a0, %a0;\nisspacep.{} {}, %a0;",
                              dice_.choose({"global", "const", "local"}), to));
    case 2:
      return line(
          fmt::format("mov.u~64 %a0, const_table;\ncvta.const.u~64 %a0, %a0;\nisspacep.{} {}, %a0;\n"
                      "cvta.to.const.u~64 %a0, %a0;\nld.const.u32 {}, [%a0+4];",
                      dice_.choose({"const", "global", "shared"}), to, variable('w')));
    default:
      return line(
          fmt::format("mov.u~64 %a0, loc;\ncvta.local.u~64 %a0, %a0;\ncvta.to.local.u~64 %a0, %a0;\n"
                      "ld.local.u32 {}, [%a0+8];",
                      variable('w')));
  }
}

}  // namespace heddle::fuzz

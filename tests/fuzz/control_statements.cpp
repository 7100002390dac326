#include <fmt/format.h>

#include <utility>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {

void BodyGenerator::simple_statement() {
  const int kind = dice_.pick(100);
  if (kind < 50) return catalogue();
  if (kind < 59) return convert();
  if (kind < 63) return pack();
  if (kind < 67) return carry_chain();
  if (kind < 69) return special_register();
  if (kind < 88) return memory();
  across_lanes();
}

void BodyGenerator::statement(int depth) {
  if (cost_ > setting_.budget) return simple_statement();
  const int kind = dice_.pick(100);
  if (kind < 14 && depth < 5) return branch(depth);
  if (kind < 22 && depth < 4 && repetition_ < 9) return loop(depth);
  if (kind < 25 && depth < 4) return jump_table(depth);
  if (kind < 28 && !forward_.empty()) return jump_out();
  if (kind < 33 && !setting_.functions.empty()) return call();
  if (kind < 35 && depth > 0 && may_exit_) return leave_early();
  simple_statement();
}

void BodyGenerator::block(int depth, int statements) {
  for (int n = 0; n < statements; ++n) statement(depth);
}

void BodyGenerator::branch(int depth) {
  const std::string other = label(), join = label();
  const bool both = dice_.chance(60);
  line(fmt::format("@{}{} bra {};", dice_.chance(50) ? "!" : "", predicate(), other));
  const LineNote around = note_;
  ++note_.nesting;
  forward_.push_back(join);
  block(depth + 1, dice_.between(1, 4));
  if (both) {
    line(fmt::format("bra{} {};\n{}:", dice_.choose({"", ".uni"}), join, other));
    block(depth + 1, dice_.between(1, 4));
  } else {
    line(other + ":");
  }
  forward_.pop_back();
  note_ = around;
  line(join + ":");
}

void BodyGenerator::loop(int depth) {
  const std::string head = label(), next = label(), after = label(), counter = loop_counter();
  const bool same_count = dice_.chance(25);
  const bool test_first = dice_.chance(40);
  const int most = dice_.choose({1, 3});
  if (same_count)
    line(fmt::format("mov.u32 {}, {};", counter, dice_.between(1, most + 1)));
  else
    line(fmt::format("and.b32 {}, {}, {};", counter, variable('w'), most));
  const LineNote around = note_;
  const double repetition = repetition_;
  repetition_ *= same_count ? most : most * 0.9 + 1;
  note_.in_loop = true;
  if (!same_count) ++note_.nesting;
  line(head + ":");
  if (test_first) line(fmt::format("setp.le.s32 %q0, {}, 0;\n@%q0 bra {};", counter, after));
  forward_.push_back(next);
  forward_.push_back(after);
  block(depth + 1, dice_.between(1, 4));
  forward_.pop_back();
  forward_.pop_back();
  line(next + ":");
  line(fmt::format("sub.s32 {0}, {0}, 1;", counter));
  LineNote closing = note_;
  closing.back_edge = true;
  std::swap(note_, closing);
  if (test_first)
    line(fmt::format("bra{} {};", dice_.choose({"", ".uni"}), head));
  else
    line(fmt::format("setp.ge.s32 %q1, {}, {};\n@%q1 bra {};", counter, same_count ? 1 : 0, head));
  note_ = around;
  repetition_ = repetition;
  line(after + ":");
}

void BodyGenerator::jump_table(int depth) {
  const std::string table = label(), join = label();
  std::vector<std::string> targets;
  std::string list;
  for (int i = 0; i < 4; ++i) {
    targets.push_back(label());
    list += (i ? ", " : "") + targets.back();
  }
  line(fmt::format("and.b32 %t0, {}, 3;", variable('w')));
  line(fmt::format("{}: .branchtargets {};\nbrx.idx %t0, {};", table, list, table));
  const LineNote around = note_;
  ++note_.nesting;
  forward_.push_back(join);
  for (int i = 0; i < 4; ++i) {
    line(targets[static_cast<std::size_t>(i)] + ":");
    block(depth + 1, dice_.between(1, 2));
    if (i < 3 && dice_.chance(75))
      line(fmt::format("bra {};", join));  // without this branch, the case falls through to the next one
  }
  forward_.pop_back();
  note_ = around;
  line(join + ":");
}

void BodyGenerator::jump_out() {
  line(fmt::format("@{}{} bra {};", dice_.chance(50) ? "!" : "", predicate(), dice_.choose(forward_)));
}

void BodyGenerator::call() {
  const std::string& name = dice_.choose(setting_.functions).name;
  const std::string only = guard(30);
  const std::string result = variable('w');
  const LineNote around = note_;
  std::string callee = name, list;
  if (calls_.chance(40)) {
    note_.indirect = true;
    list = take_address();
    callee = "%a3";
  }
  call_with(callee, list, only, variable('w'), result);
  note_ = around;
}

/// Generates statements that set %a3 to one of two functions, which may differ between lanes. Returns the
/// name that the call instruction needs: the name of a list of functions, or of a prototype.
std::string BodyGenerator::take_address() {
  const std::string first = calls_.choose(setting_.functions).name,
                    second = calls_.choose(setting_.functions).name;
  line(with_pointers_of(setting_.address_bits,
                        fmt::format("mov.u~64 %a3, {};\nmov.u~64 %a2, {};\nsetp.lt.s32 %q0, %w0, %w1;\n"
                                    "selp.b~64 %a3, %a3, %a2, %q0;",
                                    first, second)));
  std::string list = label().substr(1);
  if (calls_.chance(50))
    line(fmt::format(
        "{}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _, .param .align 8 .b8 _[16]);",
        list));
  else
    line(fmt::format("{}: .calltargets {};", list, first == second ? first : first + ", " + second));
  return list;
}

void BodyGenerator::call_with(const std::string& callee, const std::string& list, const std::string& only,
                              const std::string& first, const std::string& result) {
  line("{");
  line(fmt::format(".param .b32 x;\nst.param.b32 [x+0], {};", first));
  line(fmt::format(".param .b64 y;\nst.param.b64 [y+0], {};", variable('d')));
  line(fmt::format(".param .align 8 .b8 s[16];\nst.param.b32 [s+0], {};\nst.param.b32 [s+4], {};",
                   variable('w'), variable('w')));
  line(fmt::format("st.param.v2.f32 [s+8], {};", run_of('f', 2)));
  line(fmt::format(".param .b32 z;\n{}call{} (z), {}, (x, y, s){};", only, dice_.choose({"", ".uni"}), callee,
                   list.empty() ? "" : ", " + list));
  line(fmt::format("{}ld.param.b32 {}, [z+0];", only, result));
  line("}");
}

/// Generates a recursive call. The lowest bits of a lane's first parameter state how deep the lane's
/// recursion is.
void BodyGenerator::call_itself() {
  const std::string end = label();
  line("ld.param.u32 %t4, [a];\nand.b32 %t4, %t4, 3;");
  line(fmt::format("setp.eq.u32 %q0, %t4, 0;\n@%q0 bra {};\nsub.u32 %t4, %t4, 1;", end));
  const LineNote around = note_;
  note_.recursion = true;
  std::swap(dice_, calls_);
  call_with(setting_.own_name, "", "", "%t4", "%t5");
  std::swap(dice_, calls_);
  note_ = around;
  line(fmt::format("xor.b32 %t0, %t0, %t5;\n{}:", end));
}

void BodyGenerator::leave_early() {
  line(fmt::format("st.global.u32 [%out+{}], {};", slot_offset(), variable('w')));
  line(fmt::format("st.global.u64 [%out+{}], {};", slot_offset(), variable('d')));
  line(fmt::format("st.global.u32 [%out+{}], %hash;", slot_offset()));
  line(fmt::format("@{}{} {};", dice_.chance(50) ? "!" : "", predicate(), dice_.choose({"exit", "ret"})));
}

}  // namespace heddle::fuzz

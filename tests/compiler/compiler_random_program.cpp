#include "tests/compiler/compiler_random_program.h"

#include <fmt/format.h>

#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler::test {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomShape& shape)
      : state_(seed * 0x9e3779b97f4a7c15u + 1), shape_(shape) {}

  std::string make() {
    declare();
    for (int n = 0; n < shape_.statements; ++n) {
      if (n % 13 == 12) line("bar.sync 0;");
      statement(0);
    }
    for (int r = 0; r < shape_.words; ++r)
      store(fmt::format("st.global.u32 [%out+{}], %r{}", next_slot(), r));
    for (int d = 0; d < shape_.pairs; ++d) {
      line(fmt::format("mov.b64 {{%t0, %t1}}, %d{};", d));
      line("xor.b32 %t0, %t0, %t1;");
      store(fmt::format("st.global.u32 [%out+{}], %t0", next_slot()));
    }
    for (int p = 0; p < shape_.predicates; ++p) {
      line(fmt::format("selp.u32 %t0, 7, 9, %p{};", p));
      store(fmt::format("st.global.u32 [%out+{}], %t0", next_slot()));
    }
    return std::move(text_);
  }

 private:
  std::uint32_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
  }
  int pick(int n) { return static_cast<int>(next() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }

  void line(const std::string& text) { text_ += text + "\n"; }
  void store(const std::string& text) { line(text + ";"); }
  std::string word() { return fmt::format("%r{}", pick(shape_.words)); }
  std::string pair() { return fmt::format("%d{}", pick(shape_.pairs)); }
  std::string predicate() { return fmt::format("%p{}", pick(shape_.predicates)); }
  std::string source() { return chance(20) ? std::to_string(pick(64)) : word(); }
  std::string guard() { return chance(25) ? fmt::format("@{}{} ", chance(50) ? "!" : "", predicate()) : ""; }
  std::string label() { return fmt::format("L{}", labels_++); }
  // Returns the byte offset of a word of `out` that belongs to this thread. A thread's words are 128 words
  // apart.
  int next_slot() { return 512 * (slots_++ % static_cast<int>(kWords / kThreads)); }

  void declare() {
    line(fmt::format(".reg .b32 %r<{}>;\n.reg .b64 %d<{}>;\n.reg .pred %p<{}>;", shape_.words, shape_.pairs,
                     shape_.predicates));
    line(".reg .b32 %t<4>;\n.reg .b64 %a<2>;\n.reg .b32 %c<8>;\n.reg .pred %q<8>;");
    for (int r = 0; r < shape_.words; ++r) {
      if (r % 3 == 0) line(fmt::format("ld.global.u32 %r{}, [%in+{}];", r, 512 * (r % 32)));
      if (r % 3 == 1) line(fmt::format("mad.lo.u32 %r{}, %gid, {}, {};", r, 3 * r + 1, r));
      if (r % 3 == 2) line(fmt::format("mov.u32 %r{}, {};", r, 77 * r));
    }
    for (int d = 0; d < shape_.pairs; ++d)
      line(fmt::format("mul.wide.u32 %d{}, %r{}, %r{};", d, d % shape_.words, 0));
    for (int p = 0; p < shape_.predicates; ++p)
      line(fmt::format("setp.lt.u32 %p{}, %r{}, %r{};", p, (3 * p) % shape_.words,
                       (3 * p + 3) % shape_.words));
  }

  void statement(int depth) {
    const int kind = pick(100);
    if (kind < 8 && depth < 4) return branch(depth);
    if (kind < 13 && depth < 3) return loop(depth);
    if (kind < 14 && depth > 0 && chance(30)) return line(fmt::format("@{} bra DONE;", predicate()));
    if (kind < 22) return memory();
    if (kind < 26) return across_lanes();
    if (kind < 40) return wide();
    if (kind < 56) return predicates();
    if (kind < 66) return copy();
    narrow();
  }

  void block(int depth, int statements) {
    for (int n = 0; n < statements; ++n) statement(depth);
  }

  void branch(int depth) {
    const std::string other = label(), join = label();
    line(fmt::format("@{}{} bra {};", chance(50) ? "!" : "", predicate(), other));
    block(depth + 1, 1 + pick(6));
    if (chance(60)) {
      line(fmt::format("bra {};\n{}:", join, other));
      block(depth + 1, 1 + pick(6));
      line(join + ":");
    } else {
      line(other + ":");
    }
  }

  void loop(int depth) {
    const std::string head = label(), after = label();
    line(fmt::format("and.b32 %c{}, {}, 3;\n{}:", depth, word(), head));
    block(depth + 1, 1 + pick(6));
    if (chance(40)) {
      line(fmt::format("@{} bra {};", predicate(), after));
      block(depth + 1, 1 + pick(4));
    }
    line(fmt::format("sub.s32 %c{0}, %c{0}, 1;\nsetp.ge.s32 %q{0}, %c{0}, 0;\n@%q{0} bra {1};\n{2}:", depth,
                     head, after));
  }

  void memory() {
    switch (pick(4)) {
      case 0:
        store(fmt::format("{}st.global.u32 [%out+{}], {}", guard(), next_slot(), word()));
        return;
      case 1:
        line(
            fmt::format("and.b32 %t0, {}, 1023;\nmul.wide.u32 %a0, %t0, 4;\nld.param.u64 %a1, [in];\nadd.s64 "
                        "%a0, %a0, %a1;",
                        word()));
        line(fmt::format("{}ld.global.u32 {}, [%a0];", guard(), word()));
        return;
      case 2: {
        line(
            fmt::format("and.b32 %t0, {}, 255;\nmul.wide.u32 %a0, %t0, 16;\nld.param.u64 %a1, [in];\nadd.s64 "
                        "%a0, %a0, %a1;",
                        word()));
        const int r = pick(shape_.words - 3);
        line(fmt::format("{}ld.global.v4.u32 {{%r{}, %r{}, %r{}, %r{}}}, [%a0];", guard(), r, r + 1, r + 2,
                         r + 3));
        return;
      }
      default:
        line(fmt::format("ld.global.u16 %t1, [%in+{}];", 2 * pick(64)));
        line(fmt::format("{}add.u32 {}, {}, %t1;", guard(), word(), source()));
    }
  }

  void across_lanes() {
    switch (pick(3)) {
      case 0:
        line(fmt::format("shfl.sync.bfly.b32 {}|{}, {}, {}, 31, -1;", word(), predicate(), word(), pick(32)));
        return;
      case 1:
        line(fmt::format("shfl.sync.idx.b32 {}, {}, {}, 31, -1;", word(), word(), word()));
        return;
      default:
        line(fmt::format("vote.sync.ballot.b32 {}, {}, -1;", word(), predicate()));
    }
  }

  void wide() {
    switch (pick(7)) {
      case 0:
        line(fmt::format("{}add.s64 {}, {}, {};", guard(), pair(), pair(), pair()));
        return;
      case 1:
        line(fmt::format("{}mul.wide.u32 {}, {}, {};", guard(), pair(), word(), source()));
        return;
      case 2:
        line(fmt::format("{}shr.u64 {}, {}, {};", guard(), pair(), pair(), pick(40)));
        return;
      case 3:
        line(fmt::format("{}mov.b64 {}, {{{}, {}}};", guard(), pair(), word(), word()));
        return;
      case 4: {
        const int r = pick(shape_.words - 1);
        line(fmt::format("{}mov.b64 {{%r{}, %r{}}}, {};", guard(), r, r + 1, pair()));
        return;
      }
      case 5:
        line(fmt::format("{}selp.b64 {}, {}, {}, {};", guard(), pair(), pair(), pair(), predicate()));
        return;
      default:
        line(fmt::format("{}cvt.u32.u64 {}, {};", guard(), word(), pair()));
    }
  }

  void predicates() {
    static constexpr const char* kCompare[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static constexpr const char* kLogic[] = {"and", "or", "xor"};
    switch (pick(6)) {
      case 0:
      case 1:
        line(fmt::format("{}setp.{}.s32 {}, {}, {};", guard(), kCompare[pick(6)], predicate(), word(),
                         source()));
        return;
      case 2: {
        const int p = pick(shape_.predicates - 1);
        line(fmt::format("{}setp.{}.{}.u32 %p{}|%p{}, {}, {}, {};", guard(), kCompare[pick(6)],
                         kLogic[pick(3)], p, p + 1, word(), source(), predicate()));
        return;
      }
      case 3:
        line(fmt::format("{}{}.pred {}, {}, {};", guard(), kLogic[pick(3)], predicate(), predicate(),
                         predicate()));
        return;
      case 4:
        line(fmt::format("{}not.pred {}, {};", guard(), predicate(), predicate()));
        return;
      default:
        line(fmt::format("{}setp.{}.u64 {}, {}, {};", guard(), kCompare[pick(6)], predicate(), pair(),
                         pair()));
    }
  }

  void copy() {
    switch (pick(6)) {
      case 0:
        line(fmt::format("{}mov.u32 {}, {};", guard(), word(), pick(1000)));
        return;
      case 1:
        line(fmt::format("{}mov.b64 {}, {};", guard(), pair(), pair()));
        return;
      case 2:
        line(fmt::format("{}mov.pred {}, {};", guard(), predicate(), predicate()));
        return;
      case 3:
        line(fmt::format("{}mov.pred {}, {};", guard(), predicate(), pick(2)));
        return;
      default:
        line(fmt::format("{}mov.u32 {}, {};", guard(), word(), word()));
    }
  }

  void narrow() {
    static constexpr const char* kTwo[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32",
                                           "xor.b32", "min.s32", "max.u32",    "shl.b32", "shr.s32"};
    switch (pick(12)) {
      case 0:
        line(fmt::format("{}mad.lo.u32 {}, {}, {}, {};", guard(), word(), word(), source(), word()));
        return;
      case 1:
        line(fmt::format("{}selp.u32 {}, {}, {}, {};", guard(), word(), source(), word(), predicate()));
        return;
      case 2: {
        const int r = pick(shape_.words - 1);
        line(fmt::format("add.cc.u32 %r{}, {}, {};\naddc.u32 %r{}, {}, {};", r, word(), word(), r + 1, word(),
                         word()));
        return;
      }
      case 3:
        line(fmt::format("{}bfe.u32 {}, {}, {}, {};", guard(), word(), word(), pick(32), source()));
        return;
      case 4:
        line(fmt::format("{}prmt.b32 {}, {}, {}, {};", guard(), word(), word(), word(), source()));
        return;
      default:
        line(fmt::format("{}{} {}, {}, {};", guard(), kTwo[pick(10)], word(), word(), source()));
    }
  }

  std::uint64_t state_;
  RandomShape shape_;
  std::string text_;
  int labels_ = 0;
  int slots_ = 0;
};

}  // namespace

std::string random_body(std::uint64_t seed, const RandomShape& shape) {
  return Generator(seed, shape).make() + "DONE:\n";
}

std::string tangle(fuzz::Dice& dice, int blocks) {
  const auto reg = [&dice] { return fmt::format("%r{}", 1 + dice.pick(8)); };
  std::string body = ".reg .b32 %r<10>;\n.reg .pred %p<2>;\nmov.u32 %r9, %tid.x;\n";
  for (int b = 0; b < blocks; ++b) {
    const auto target = [&] { return fmt::format("B{}", dice.pick(blocks)); };
    body += fmt::format("B{}: add.u32 {}, {}, {};\n", b, reg(), reg(), dice.chance(30) ? "%r9" : reg());
    const bool splits = dice.chance(70);
    body += fmt::format("setp.lt.u32 %p0, {}, 7;\n", splits ? "%r9" : "3");
    const int kind = dice.pick(10);
    if (kind < 6) body += fmt::format("@%p0 bra {};\n", target());
    if (kind == 6) body += fmt::format("bra {};\n", target());
    if (kind == 7) body += "@%p0 exit;\n";
    if (kind == 8 && dice.chance(30)) body += "exit;\n";
  }
  return body + "st.shared.u32 [0x1000000], %r1;\nret;";
}

}  // namespace heddle::compiler::test

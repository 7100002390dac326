#include "tests/cuda_programs/random_cuda.h"

#include <fmt/format.h>

#include "tests/support/dice.h"

namespace heddle::test {
namespace {

constexpr int kDepth = 3;
constexpr int kNesting = 3;
constexpr int kStatements = 45;

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : dice_(seed), seed_(seed) {}

  std::string program() {
    out_ = fmt::format("namespace program_{} {{\nTABLE u32 table[16] = {{", seed_);
    for (int k = 0; k < 16; ++k) out_ += fmt::format("{:#x}u, ", dice_.next() & 0xffffffff);
    out_ += "};\n";
    functions();
    const int phases = dice_.between(1, 3);
    out_ += "struct Program {\n";
    out_ += fmt::format("  static constexpr u32 kPhases = {}, kBlocks = {}, kThreads = {};\n", phases,
                        dice_.between(1, 2), 32 * dice_.between(1, 3));
    out_ += fmt::format("  DEVICE static u32 partner(u32 phase) {{ return (phase * {} + {}) & 31; }}\n",
                        dice_.between(1, 9), dice_.pick(32));
    out_ += "  DEVICE static void phase(State& s, const Place& p) {\n";
    for (int phase = 0; phase < phases; ++phase) {
      out_ += fmt::format("    if (p.phase == {}) {{\n", phase);
      left_ = kStatements / phases;
      nesting_ = 2;
      while (left_ > 0) statement();
      line(fmt::format("p.shared[(p.phase & 1) * kHalf + p.thread] = {};", u(kDepth)));
      out_ += "    }\n";
    }
    out_ += "  }\n};\n}\n";
    return std::move(out_);
  }

 private:
  void line(const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(2 * nesting_ + 2), ' ') + text + "\n";
  }

  // Writes a template, a recursive function, three functions of one type (called by pointers), and a virtual
  // function.
  void functions() {
    inside_function_ = true;
    out_ += fmt::format(
        "template <int N> DEVICE u32 mixed(u32 a, u32 b) {{\n  for (int k = 0; k < N; ++k) a = rotated(a, "
        "{}) {} (b + k);\n"
        "  return a;\n}}\n",
        dice_.between(1, 31), dice_.choose({"^", "+", "-", "|"}));
    out_ += fmt::format(
        "APART u32 folded(u32 depth, u32 a) {{ return depth == 0 ? a : folded(depth - 1, {}) {} a; }}\n",
        u(2), dice_.choose({"^", "+", "*"}));
    has_b_ = true;
    for (int k = 0; k < 3; ++k)
      out_ += fmt::format("APART u32 chosen_{}(u32 a, u32 b) {{ return {}; }}\n", k, u(2));
    out_ +=
        "using Chosen = u32 (*)(u32, u32);\n"
        "DEVICE inline Chosen pick(u32 k) {\n"
        "  switch (k % 3) {\n    case 0: return chosen_0;\n    case 1: return chosen_1;\n    default: return "
        "chosen_2;\n  }\n}\n";
    out_ += "struct Base { DEVICE virtual u32 of(u32 a, u32 b) const { return a + b; } };\n";
    out_ += fmt::format(
        "struct Other : Base {{ u32 own; DEVICE explicit Other(u32 v) : own(v) {{}} DEVICE u32 of(u32 a, u32 "
        "b) const override "
        "{{ return own ^ {}; }} }};\n",
        u(2));
    out_ += "APART u32 virtually(const Base& what, u32 a, u32 b) { return what.of(a, b); }\n";
    inside_function_ = false;
  }

  std::string one_of(int count) { return std::to_string(dice_.pick(count)); }

  std::string u(int depth) {
    if (depth == 0 || dice_.chance(15)) return u_leaf();
    const int next = depth - 1;
    switch (dice_.pick(inside_function_ ? 9 : 16)) {
      case 0:
        return fmt::format("({} {} {})", u(next), dice_.choose({"+", "-", "*", "&", "|", "^"}), u(next));
      case 1:
        return fmt::format("({} {} {})", u(next), dice_.choose({"+", "*", "^"}), u(next));
      case 2:
        return fmt::format("({} {} ({} & 31))", u(next), dice_.choose({"<<", ">>"}), u(next));
      case 3:
        return fmt::format("({} {} ({} | 1))", u(next), dice_.choose({"/", "%"}), u(next));
      case 4:
        return fmt::format("{}({}, {})", dice_.choose({"high_half", "rotated"}), u(next), u(next));
      case 5:
        return fmt::format("{}({})", dice_.choose({"ones", "leading", "reversed"}), u(next));
      case 6:
        return fmt::format("({} < {} ? {} : {})", u(next), u(next), u(next), u(next));
      case 7:
        return fmt::format("(~{})", u(next));
      case 8:
        return fmt::format("({} - {})", u(next), u(next));
      case 9:
        return fmt::format("({} ? {} : {})", truth(next), u(next), u(next));
      case 10:
        return fmt::format("static_cast<u32>({})", dice_.chance(50) ? i(next) : l(next));
      case 11:
        return fmt::format("to_u32({})", dice_.chance(50) ? f(next) : d(next));
      case 12:
        return fmt::format("mixed<{}>({}, {})", dice_.between(1, 4), u(next), u(next));
      case 13:
        return fmt::format("static_cast<u32>({} >> ({} & 63))", l(next), u(next));
      case 14:
        return fmt::format("p.in[{} % kInputs]", u(next));
      default:
        return fmt::format("s.own[{} & 7]", u(next));
    }
  }
  std::string u_leaf() {
    if (inside_function_) return dice_.chance(70) ? parameter() : constant();
    switch (dice_.pick(8)) {
      case 0:
        return constant();
      case 1:
        return dice_.choose({"p.thread", "p.block", "p.phase"});
      case 2:
        return fmt::format("table[{}]", dice_.pick(16));
      case 3:
        return fmt::format("p.shared[(~p.phase & 1) * kHalf + (p.thread * {} + {}) % Program::kThreads]",
                           dice_.between(1, 9), dice_.pick(64));
      default:
        return "s.u[" + one_of(6) + "]";
    }
  }
  std::string parameter() { return has_b_ && dice_.chance(50) ? "b" : "a"; }
  std::string constant() {
    return dice_.chance(50) ? fmt::format("{}u", dice_.pick(40))
                            : fmt::format("{:#x}u", dice_.next() & 0xffffffff);
  }
  std::string i(int depth) {
    if (depth == 0 || dice_.chance(20))
      return dice_.chance(80) ? "s.i[" + one_of(4) + "]" : fmt::format("({})", dice_.between(-50, 50));
    const int next = depth - 1;
    switch (dice_.pick(6)) {
      case 0:
      case 1:
        return fmt::format("{}({}, {})",
                           dice_.choose({"sum", "difference", "product", "quotient", "remainder_of"}),
                           i(next), i(next));
      case 2:
        return fmt::format("({} >> ({} & 31))", i(next), u(next));
      case 3:
        return fmt::format("({} {} {} ? {} : {})", i(next), compared(), i(next), i(next), i(next));
      case 4:
        return fmt::format("to_i32({})", dice_.chance(50) ? f(next) : d(next));
      default:
        return fmt::format("static_cast<i32>({})", u(next));
    }
  }
  std::string l(int depth) {
    if (depth == 0 || dice_.chance(20))
      return dice_.chance(85) ? "s.l[" + one_of(4) + "]" : fmt::format("{:#x}ull", dice_.next());
    const int next = depth - 1;
    switch (dice_.pick(7)) {
      case 0:
      case 1:
        return fmt::format("({} {} {})", l(next), dice_.choose({"+", "-", "*", "&", "|", "^"}), l(next));
      case 2:
        return fmt::format("({} {} ({} & 63))", l(next), dice_.choose({"<<", ">>"}), u(next));
      case 3:
        return fmt::format("({} {} ({} | 1))", l(next), dice_.choose({"/", "%"}), l(next));
      case 4:
        return fmt::format("static_cast<u64>(static_cast<i64>({}) >> ({} & 63))", l(next), u(next));
      case 5:
        return fmt::format("to_u64({})", d(next));
      default:
        return fmt::format("(u64{{{}}} * {})", u(next), u(next));
    }
  }
  std::string f(int depth) {
    if (depth == 0 || dice_.chance(20))
      return dice_.chance(80) ? "s.f[" + one_of(4) + "]"
                              : fmt::format("({}.{}f)", dice_.between(-9, 9), dice_.pick(100));
    const int next = depth - 1;
    switch (dice_.pick(8)) {
      case 0:
      case 1:
        return fmt::format("({} {} {})", f(next), dice_.choose({"+", "-", "*", "/"}), f(next));
      case 2:
        return fmt::format("({} * {})", f(next), f(next));
      case 3:
        return fmt::format("std::{}({})", dice_.choose({"floor", "trunc", "rint", "fabs", "ceil"}), f(next));
      case 4:
        return fmt::format("std::sqrt(std::fabs({}))", f(next));
      case 5:
        return fmt::format("std::fma({}, {}, {})", f(next), f(next), f(next));
      case 6:
        return fmt::format("({} {} {} ? {} : {})", f(next), compared(), f(next), f(next), f(next));
      default:
        return fmt::format("static_cast<float>({})", number(next));
    }
  }
  std::string d(int depth) {
    if (depth == 0 || dice_.chance(20))
      return dice_.chance(80) ? "s.d[" + one_of(4) + "]"
                              : fmt::format("({}.{})", dice_.between(-9, 9), dice_.pick(100));
    const int next = depth - 1;
    switch (dice_.pick(6)) {
      case 0:
      case 1:
        return fmt::format("({} {} {})", d(next), dice_.choose({"+", "-", "*", "/"}), d(next));
      case 2:
        return fmt::format("std::{}({})", dice_.choose({"floor", "trunc", "rint", "fabs"}), d(next));
      case 3:
        return fmt::format("std::sqrt(std::fabs({}))", d(next));
      case 4:
        return fmt::format("std::fma({}, {}, {})", d(next), d(next), d(next));
      default:
        return fmt::format("static_cast<double>({})", number(next));
    }
  }
  std::string number(int depth) {
    switch (dice_.pick(5)) {
      case 0:
        return u(depth);
      case 1:
        return i(depth);
      case 2:
        return l(depth);
      case 3:
        return f(depth);
      default:
        return d(depth);
    }
  }
  std::string compared() { return dice_.choose({"<", "<=", ">", ">=", "==", "!="}); }
  std::string truth(int depth) {
    if (depth > 0 && dice_.chance(20))
      return fmt::format("({} {} {})", truth(depth - 1), dice_.choose({"&&", "||"}), truth(depth - 1));
    switch (dice_.pick(5)) {
      case 0:
        return fmt::format("({} {} {})", u(depth), compared(), u(depth));
      case 1:
        return fmt::format("({} {} {})", i(depth), compared(), i(depth));
      case 2:
        return fmt::format("({} {} {})", l(depth), compared(), l(depth));
      case 3:
        return fmt::format("({} {} {})", f(depth), compared(), f(depth));
      default:
        return fmt::format("(({} & {}) != 0)", u(depth), 1 << dice_.pick(5));
    }
  }

  void block(const std::string& head, const std::string& tail = "}") {
    line(head + " {");
    ++nesting_;
    for (int n = dice_.between(1, 3); n > 0; --n) statement();
    --nesting_;
    line(tail);
  }
  void statement() {
    --left_;
    const bool deep = nesting_ >= 2 + kNesting;
    switch (dice_.pick(deep ? 11 : 16)) {
      case 0:
      case 1:
      case 2:
        return line(fmt::format("s.u[{}] = {};", one_of(6), u(kDepth)));
      case 3:
        return line(fmt::format("s.i[{}] = {};", one_of(4), i(kDepth)));
      case 4:
        return line(fmt::format("s.l[{}] = {};", one_of(4), l(kDepth)));
      case 5:
        return line(fmt::format("s.f[{}] = {};", one_of(4), f(kDepth)));
      case 6:
        return line(fmt::format("s.d[{}] = {};", one_of(4), d(kDepth)));
      case 7:
        return line(fmt::format("s.own[{} & 7] {}= {};", u(1), dice_.choose({"", "+", "^"}), u(2)));
      case 8:
        return atomic();
      case 9:
        return call();
      case 10:
        return line(fmt::format("s.u[{}] {}= {};", one_of(6), dice_.choose({"+", "^", "*", "|"}), u(2)));
      case 11:
      case 12:
        return block("if (" + truth(2) + ")");
      case 13:
        return loop();
      case 14:
        return chosen();
      default:
        block("if (" + truth(1) + ")", "} else {");
    }
    ++nesting_;
    statement();
    --nesting_;
    line("}");
  }
  void atomic() {
    const int kind = dice_.pick(3);
    line(fmt::format("{}(p.counters + {} + ({} & 3), {});",
                     kind == 0   ? "add"
                     : kind == 1 ? "raise"
                                 : "flip",
                     4 * kind, u(1), u(2)));
  }
  void call() {
    switch (dice_.pick(3)) {
      case 0:
        return line(fmt::format("s.u[{}] ^= folded({} & 3, {});", one_of(6), u(1), u(2)));
      case 1:
        return line(fmt::format("s.u[{}] += pick({})({}, {});", one_of(6), u(1), u(1), u(1)));
      default:
        line("{");
        line(fmt::format("  const Base base; const Other other({});", u(1)));
        line(fmt::format("  s.u[{}] ^= virtually({} ? base : static_cast<const Base&>(other), {}, {});",
                         one_of(6), truth(1), u(1), u(1)));
        line("}");
    }
  }
  void loop() {
    const std::string k = fmt::format("k{}", loops_++);
    line(fmt::format("for (u32 {0} = 0; {0} < ({1} & {2}); ++{0}) {{", k, u(1), dice_.choose({3, 7})));
    ++nesting_;
    line(fmt::format("s.u[{}] += {};", one_of(6), k));
    if (dice_.chance(50)) line(fmt::format("if ({}) {};", truth(1), dice_.choose({"break", "continue"})));
    for (int n = dice_.between(1, 2); n > 0; --n) statement();
    --nesting_;
    line("}");
  }
  void chosen() {
    line(fmt::format("switch ({} % 5) {{", u(2)));
    ++nesting_;
    for (const int value : {0, 1, 3}) {
      line(fmt::format("case {}:", value));
      statement();
      if (dice_.chance(60)) line("break;");
    }
    line("default:");
    statement();
    --nesting_;
    line("}");
  }

  fuzz::Dice dice_;
  std::uint64_t seed_;
  std::string out_;
  int left_ = 0, nesting_ = 0, loops_ = 0;
  bool inside_function_ = false, has_b_ = false;
};

}  // namespace

std::string random_cuda(std::uint64_t first_seed, int count) {
  std::string text = "#include \"random_programs.h\"\n\n", main;
  for (int n = 0; n < count; ++n) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(n);
    text += Writer(seed).program();
    main += fmt::format("  run<program_{0}::Program>(\"program {0}\", {0});\n", seed);
  }
  return text + "int main() {\n" + main + "  return 0;\n}\n";
}

}  // namespace heddle::test

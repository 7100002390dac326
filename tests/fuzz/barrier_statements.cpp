// Generates PTX statements for the outermost level of a random kernel, where all warps of a CTA execute each
// statement.

#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/body_generator.h"

namespace heddle::fuzz {

void BodyGenerator::top_level() {
  switch (dice_.pick(8)) {
    case 0:
    case 1:
      return exchange_shared();
    case 2:
      return exchange_global();
    case 3:
      return histogram();
    case 4:
      return barrier_reduction();
    case 5:
      return arrive_and_sync();
    case 6:
      return uniform_loop();
    default:
      return barrier();
  }
}

void BodyGenerator::barrier() {
  const int all = (setting_.threads_per_cta + 31) / 32 * 32;
  switch (dice_.pick(5)) {
    case 0:
      return line(fmt::format("bar.sync {}, {};", dice_.between(1, 15), all));
    case 1:
      return line(fmt::format("barrier.sync {};", dice_.pick(16)));
    case 2:
      return line(fmt::format("mov.u32 %t5, {};\nbarrier.sync.aligned %t5, {};", dice_.pick(16), all));
    default:
      return line("bar.sync 0;");
  }
}

void BodyGenerator::uniform_loop() {
  if (repetition_ > 1) return exchange_shared();
  const std::string head = label(), counter = loop_counter();
  const int rounds = dice_.between(2, 3);
  line(fmt::format("mov.u32 {}, 0;\n{}:", counter, head));
  const LineNote around = note_;
  note_.in_loop = true;
  repetition_ = rounds;
  for (int n = dice_.between(1, 3); n > 0; --n) {
    if (dice_.chance(50))
      exchange();
    else
      statement(0);
  }
  line(fmt::format("add.u32 {0}, {0}, 1;\nsetp.lt.u32 %q3, {0}, {1};", counter, rounds));
  note_.back_edge = true;
  line(fmt::format("@%q3 bra {};", head));
  note_ = around;
  repetition_ = 1;
}

void BodyGenerator::exchange() {
  if (dice_.chance(60))
    exchange_shared();
  else
    histogram();
}

// Generates statements of an exchange: every thread writes its slot in shared memory and, after a barrier,
// reads the slot of another thread.
void BodyGenerator::exchange_shared() {
  struct Value {
    const char* type;
    const char* vector;
    char kind;
    int count;
  };
  static const std::vector<Value> values = {
      {"u32", "", 'w', 1}, {"u64", "", 'd', 1},    {"f32", "", 'f', 1},    {"f64", "", 'g', 1},
      {"u16", "", 'h', 1}, {"u32", ".v4", 'w', 4}, {"u64", ".v2", 'd', 2}, {"f32", ".v2", 'f', 2}};
  const Value& value = dice_.choose(values);
  const int threads = setting_.threads_per_cta;
  const auto text = [&] { return value.count == 1 ? variable(value.kind) : run_of(value.kind, value.count); };
  line(fmt::format("mov.u32 %t4, exchanged;\nmad.lo.u32 %t5, %thread, 16, %t4;"));
  line(fmt::format("st.shared{}.{} [%t5], {};", value.vector, value.type, text()));
  barrier();
  if (dice_.chance(50))
    line(fmt::format("add.u32 %t5, %thread, {};\nrem.u32 %t5, %t5, {};", dice_.between(1, 40), threads));
  else
    line(fmt::format("rem.u32 %t5, {}, {};", variable('w'), threads));
  line("mad.lo.u32 %t5, %t5, 16, %t4;");
  note_.exchange = true;
  line(fmt::format("{}ld.shared{}.{} {}, [%t5];", guard(), value.vector, value.type, text()));
  note_.exchange = false;
  barrier();
}

void BodyGenerator::exchange_global() {
  line(fmt::format("st.global.u32 [%own+{}], {};", 4 * dice_.pick(16), variable('w')));
  if (dice_.chance(50)) line("membar.cta;");
  barrier();
  line(
      fmt::format("add.u32 %t5, %thread, {0};\nrem.u32 %t5, %t5, {1};\nsub.s32 %t5, %t5, %thread;\n"
                  "mad.~wide.s32 %a2, %t5, {2}, %own;",
                  dice_.between(1, 40), setting_.threads_per_cta, kOwnBytes));
  note_.exchange = true;
  line(fmt::format("{}ld{}.u32 {}, [%a2+{}];", guard(),
                   dice_.choose({".global", ".volatile.global", ".global.cg"}), variable('w'),
                   4 * dice_.pick(16)));
  note_.exchange = false;
  barrier();
}

void BodyGenerator::histogram() {
  struct Operation {
    const char* name;
    bool wide;
    const char* start;
  };
  static const std::vector<Operation> operations = {
      {"add.u32", false, "0"}, {"min.u32", false, "-1"}, {"max.s32", false, "-9"}, {"xor.b32", false, "5"},
      {"or.b32", false, "0"},  {"and.b32", false, "-1"}, {"add.u64", true, "3"},   {"max.u64", true, "0"}};
  const Operation& operation = dice_.choose(operations);
  const int bytes = operation.wide ? 8 : 4;
  int bins = kHistogramBytes / bytes;
  while (bins > setting_.threads_per_cta) bins /= 2;
  line(fmt::format(
      "mov.u32 %t4, histogram_;\nmad.lo.u32 %t5, %thread, {}, %t4;\nsetp.lt.u32 %q3, %thread, {};", bytes,
      bins));
  line(fmt::format("mov.b64 %e2, {};\n@%q3 st.shared.b{} [%t5], {};", operation.start, 8 * bytes,
                   operation.wide ? "%e2" : operation.start));
  barrier();
  for (int n = dice_.between(1, 2); n > 0; --n) {
    line(fmt::format("and.b32 %t5, {}, {};\nmad.lo.u32 %t5, %t5, {}, %t4;", variable('w'), bins - 1, bytes));
    const std::string value = variable(operation.wide ? 'd' : 'w');
    if (dice_.chance(60))
      line(fmt::format("{}red.shared.{} [%t5], {};", guard(), operation.name, value));
    else
      line(fmt::format("{}atom.shared.{} {}, [%t5], {};", guard(), operation.name,
                       operation.wide ? "%e2" : "%t6", value));
  }
  barrier();
  line(fmt::format("and.b32 %t5, {}, {};\nmad.lo.u32 %t5, %t5, {}, %t4;", variable('w'), bins - 1, bytes));
  note_.exchange = true;
  line(fmt::format("ld.shared.u{} {}, [%t5];", 8 * bytes, variable(operation.wide ? 'd' : 'w')));
  note_.exchange = false;
  barrier();
}

void BodyGenerator::barrier_reduction() {
  const int all = (setting_.threads_per_cta + 31) / 32 * 32;
  const std::string count = dice_.chance(40) ? fmt::format(", {}", all) : "";
  const std::string from = dice_.chance(15) ? constant('p') : (dice_.chance(50) ? "!" : "") + predicate();
  const std::string name = dice_.choose({"bar.red", "barrier.red"});
  note_.exchange = true;
  switch (dice_.pick(3)) {
    case 0:
      line(fmt::format("{}.popc.u32 {}, {}{}, {};", name, variable('w'), dice_.pick(16), count, from));
      break;
    default:
      line(fmt::format("{}.{}.pred {}, {}{}, {};", name, dice_.choose({"and", "or"}), predicate(),
                       dice_.pick(16), count, from));
  }
  note_.exchange = false;
}

// Generates a barrier at which odd warps arrive and continue, and for which even warps wait.
void BodyGenerator::arrive_and_sync() {
  const int all = (setting_.threads_per_cta + 31) / 32 * 32;
  const int number = dice_.between(1, 15);
  const std::string wait = label(), join = label();
  line("mov.u32 %t4, exchanged;\nmad.lo.u32 %t5, %thread, 16, %t4;");
  line(fmt::format("st.shared.u32 [%t5], {};", variable('w')));
  line("shr.u32 %t6, %thread, 5;\nand.b32 %t6, %t6, 1;\nsetp.eq.u32 %q3, %t6, 0;");
  line(fmt::format("@%q3 bra {};\nbar.arrive {}, {};\nbra {};\n{}:", wait, number, all, join, wait));
  line(fmt::format("bar.sync {}, {};", number, all));
  line(fmt::format("xor.b32 %t5, %thread, 32;\nmin.u32 %t5, %t5, {};\nmad.lo.u32 %t5, %t5, 16, %t4;",
                   setting_.threads_per_cta - 1));
  note_.exchange = true;
  line(fmt::format("ld.shared.u32 {}, [%t5];", variable('w')));
  note_.exchange = false;
  line(join + ":");
  line("bar.sync 0;");  // a warp may reach a named barrier again only after the barrier was completed
}

}  // namespace heddle::fuzz

// Compares rtl/consumer_scoreboard.v with the model's consumer scoreboards, one for each warp. Such a
// scoreboard also counts the pending readers of each register (Huerta 2025, 7.5).

#include "models/scheduler/constraints/warp_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::consumer_scoreboard_block {
namespace {

using View = ConsumerPoint::View;
using Answer = ConsumerPoint::Answer;

BlockFit fits(const IssuePoints& sm) {
  if (!sm.one_issue) return {{}, "the RTL takes one instruction a partition and cycle"};
  return {{{"CONSUMERS", sm.consumers}}, ""};
}

void table(BlockTable<ConsumerPoint>& t, const IssuePoints&) {
  t.entering("begin_warp", [](const View& v) { return v.begins; });
  t.entering("issue_reads", [](const View& v) { return v.issued_reads; });
  t.entering("issue_writes", [](const View& v) { return v.issued_writes; });
  t.entering("released_ones", [](const View& v) { return v.released_ones; });
  t.entering("released_twos", [](const View& v) { return v.released_twos; });
  t.entering("written", [](const View& v) { return v.written; });
  t.input("next_reads", [](const View& v) { return v.next_reads; });
  t.input("next_writes", [](const View& v) { return v.next_writes; });
  t.input("bypassed", [](const View& v) { return v.bypassed; });
  t.input("ordered", [](const View& v) { return v.ordered; });
  t.input("in_window", [](const View& v) { return v.in_window; });
  t.output(
       "waits",
       [](const View& v, const Answer& answer) {
         return v.candidate ? std::optional<bool>{answer.waits} : std::nullopt;
       },
       [](const View& v, Answer& answer, bool by_rtl) {
         if (v.candidate) answer.waits = by_rtl;
       })
      .named({"no", "yes"});
  t.output("pending", [](const View&, const Answer& answer) { return answer.pending; });
  t.output("read_pending", [](const View&, const Answer& answer) { return answer.read_pending; });
  t.wave("waits", "waits");
}

const Block<ConsumerPoint> block{
    {"consumer_scoreboard", "consumer scoreboards of warps", Clocking::per_cycle, fits, table}};

}  // namespace
}  // namespace heddle::cosim::consumer_scoreboard_block

// Compares rtl/register_balance.v with the balances of the model's issue constraint register-throttle. The
// balance of a CTA is the number of registers that the CTA may still claim. With balances, GPU-shrink avoids
// deadlocks (Jeon 2015, 8.1).

#include "models/scheduler/constraints/register_balance.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::register_balance_block {
namespace {

using View = BalancePoint::View;
using Answer = BalancePoint::Answer;

constexpr int kCtas = 8;
constexpr int kBits = 10, kWideBits = 17;

BlockFit fits(const BalancePoint::Owner& sm) {
  if (sm.ctas > kCtas) return {{}, "the RTL compares eight CTAs"};
  return {{{"POOLS", sm.pools}, {"W", sm.entries < 1 << kBits ? kBits : kWideBits}}, ""};
}

void table(BlockTable<BalancePoint>& t, const BalancePoint::Owner& sm) {
  const auto pools = static_cast<std::size_t>(sm.pools);
  const auto elements = [pools](std::span<const int> of) {
    Elements all;
    for (std::size_t p = 0; p < pools; ++p)
      all.add(p < of.size() ? static_cast<std::uint64_t>(std::max(0, of[p])) : 0u);
    return all;
  };
  t.input("free", [elements](const View& v) { return elements(v.free); });
  t.input("whole", [elements](const View& v) { return elements(v.whole); });
  t.input("resident", [](const View& v) {
    unsigned set = 0;
    for (const BalancePoint::Cta& cta : v.ctas) set |= 1u << cta.number;
    return set;
  });
  t.input("charged", [pools](const View& v) {
    Elements all;
    std::array<const BalancePoint::Cta*, kCtas> cta_of{};
    for (const BalancePoint::Cta& cta : v.ctas) cta_of[static_cast<std::size_t>(cta.number)] = &cta;
    for (const BalancePoint::Cta* cta : cta_of)
      for (std::size_t p = 0; p < pools; ++p) all.add(cta ? static_cast<std::uint64_t>(cta->charged[p]) : 0u);
    return all;
  });
  t.input("requests", [](const View& v) { return v.what == View::may_take ? 1u << v.requester : 0u; });
  t.input("demand", [elements](const View& v) { return elements(v.demand); });
  t.output("safe", [](const View& v, const Answer& answer) {
    return v.what == View::safe ? std::optional<bool>{answer >= 0} : std::nullopt;
  });
  t.output(
      "safe_cta",
      [](const View& v, const Answer& answer) {
        return v.what == View::safe && answer >= 0 ? std::optional<int>{answer} : std::nullopt;
      },
      [](const View& v, Answer& answer, int by_rtl) {
        if (v.what == View::safe && answer >= 0) answer = by_rtl;
      });
  const auto of = [&t](const char* port, View::What what) {
    t.output(
        port,
        [what](const View& v, const Answer& answer) {
          return v.what == what ? std::optional<bool>{answer != 0} : std::nullopt;
        },
        [what](const View& v, Answer& answer, bool by_rtl) {
          if (v.what == what) answer = by_rtl;
        });
  };
  of("any_ample", View::headroom);
  of("may_take", View::may_take);
}

const Block<BalancePoint> block{{"register_balance", "balances of CTAs", Clocking::none, fits, table}};

const ReportRegistration report{"register_balance",
                                {{"register_balance",
                                  "register_balance",
                                  {},
                                  "balances of eight CTAs over the four banks of one partition"}}};

}  // namespace
}  // namespace heddle::cosim::register_balance_block

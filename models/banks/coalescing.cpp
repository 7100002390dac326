// Models the coalescing arbiter of the register banks (Radaideh 2021, IV-B3 and Table I). Pass 1: every port
// of every bank serves its oldest access that may be served. Pass 2: for each access of pass 1, the bank may
// serve a second access in the same cycle. The bank chooses the oldest later access whose sub-banks are free
// and whose collector port has space.

#include <algorithm>
#include <bit>
#include <string>

#include "models/banks/collector_ports.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/row_probes.h"
#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct CoalescingParameters {
  std::vector<std::string> kinds = {"read-read", "write-write", "read-write"};
  std::string instructions = "any", rows = "any", fit = "sub-banks";
  int window = 0;

  void fields(FieldVisitor& v) {
    v.field("kinds", kinds,
            "pairs of accesses that may be served together: read-read, write-write, read-write (Radaideh "
            "2021, Table I)");
    v.field("instructions", instructions, {"any", "same"},
            "a pair may come from any two instructions, or only from the same one (Radaideh 2021, Table I: "
            "kinds 1 and 2)");
    v.field("rows", rows, {"any", "same"},
            "a pair may open any two rows of a bank, or only the same row (CORF)");
    v.field("window", window, {0, 4096},
            "accesses at the front of a bank's queue that are searched for a partner; 0: all");
    v.field(
        "fit", fit, {"sub-banks", "widths", "sides", "any"},
        "condition for a pair: sub-banks do not overlap (Radaideh 2021, IV-B3). Limits (Radaideh 2021, V-D): "
        "the widths together fit into a row, wherever the bytes lie; the rows have different alignments, "
        "whatever their widths; any two accesses, and a collector accepts twice as many words");
  }
};

enum class Fit : std::uint8_t { sub_banks, widths, sides, any };

Fit fit_of(const std::string& name) {
  if (name == "sub-banks") return Fit::sub_banks;
  if (name == "widths") return Fit::widths;
  return name == "sides" ? Fit::sides : Fit::any;
}

class Coalescing : public BankArbiter {
 public:
  Coalescing(const CoalescingParameters& p, Context& context)
      : same_instruction_(p.instructions == "same"),
        same_row_(p.rows == "same"),
        fit_(fit_of(p.fit)),
        window_(p.window == 0 ? kUnlimited : static_cast<std::uint32_t>(p.window)),
        ports_(context.collectors, context.sub_banks),
        sub_banks_(context.sub_banks) {
    const auto kind = [&](const char* name) {
      return std::find(p.kinds.begin(), p.kinds.end(), name) != p.kinds.end();
    };
    read_read_ = kind("read-read");
    write_write_ = kind("write-write");
    read_write_ = kind("read-write");
    for (const std::string& name : p.kinds)
      if (name != "read-read" && name != "write-write" && name != "read-write")
        throw Error(std::string(kPlace) + ".kinds", "'" + name + "' is not a kind of pair",
                    "read-read, write-write, read-write");
  }

  bool is_limit() const override { return fit_ != Fit::sub_banks; }
  void probes(const ProbeScope& scope) override {
    if (sub_banks_ == kSubBanks) scope.add(probe_);
  }

  void choose(const ArbiterView& view, ServedAccesses& served) override {
    ports_.begin(ports(view), view.operands_per_collector * (fit_ == Fit::any ? 2 : 1));
    const std::size_t begin = served.size();
    std::uint64_t behind = 0;
    for (std::uint64_t rest = view.waiting_banks; rest; rest &= rest - 1)
      behind |= serve_first(view, static_cast<std::uint32_t>(std::countr_zero(rest)), served);
    if (probe_.attached()) behind = ~std::uint64_t{0};
    if (behind != 0) serve_partners(view, behind, served, begin);
  }

 private:
  static constexpr std::uint32_t kUnlimited = ~std::uint32_t{0};

  // Serves the oldest access of each free port of a bank. If later accesses of the bank still wait, returns
  // a word in which only bit `bank` is set, otherwise 0.
  std::uint64_t serve_first(const ArbiterView& view, std::uint32_t bank, ServedAccesses& served) {
    const BankQueueView queue = view.banks[bank];
    unsigned free = (~view.busy_read >> bank & 1) | (~view.busy_write >> bank & 1) << 1;
    std::uint64_t behind = 0;
    for (std::uint32_t i = 0; i < queue.size() && free != 0; ++i) {
      const WaitingAccess& access = queue[i];
      const unsigned port = 1u << access.write;
      if (!(free & port) || !may_go(view, queue, i)) continue;
      if (!access.write && !ports_.take(access)) continue;
      served.push_back({BankId(bank), i, access.sub_banks, kAllLanes});
      if (i + 1 < queue.size()) behind = std::uint64_t{1} << bank;
      if (!view.separate_ports) break;
      free &= ~port;
    }
    return behind;
  }

  void serve_partners(const ArbiterView& view, std::uint64_t behind, ServedAccesses& served,
                      std::size_t begin) {
    const std::size_t first = served.size();
    for (std::size_t i = begin; i < first; ++i)
      if (behind >> served[i].bank.value & 1) serve_partner(view, served, i);
    if (served.size() == first) return;
    std::sort(served.begin() + begin, served.end(), [](const ServedAccess& a, const ServedAccess& b) {
      return a.bank != b.bank ? a.bank < b.bank : a.position < b.position;
    });
  }

  void serve_partner(const ArbiterView& view, ServedAccesses& served, std::size_t at) {
    const ServedAccess primary = served[at];
    const BankQueueView queue = view.banks[primary.bank.value];
    const WaitingAccess& first = queue[primary.position];
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(queue.size(), window_));
    Alone alone = Alone::none_waits;
    std::uint32_t partner = kUnlimited;
    for (std::uint32_t i = primary.position + 1; i < end && partner == kUnlimited; ++i) {
      const WaitingAccess& other = queue[i];
      const Alone apart = overlap(first, other);
      if (apart != Alone::none_waits && !says_more(apart, alone)) continue;
      if (!may_pair(view, first, other) || !may_go(view, queue, i)) continue;
      if (apart != Alone::none_waits)
        alone = apart;
      else if (!takes(first, other))
        alone = Alone::collector;
      else
        partner = i;
    }
    if (probe_.attached()) partner = probed(view, primary, end, partner);
    if (partner == kUnlimited) {
      served[at].alone = alone;
      return;
    }
    const WaitingAccess& other = queue[partner];
    if (!other.write && !one_word(first, other)) ports_.take(other);
    served.push_back({primary.bank, partner, other.sub_banks, kAllLanes});
  }

  // Reports to the probe point which access a bank serves in the same cycle as `primary`. An attached RTL
  // block may choose another access.
  std::uint32_t probed(const ArbiterView& view, const ServedAccess& primary, std::uint32_t end,
                       std::uint32_t partner) const {
    const BankQueueView queue = view.banks[primary.bank.value];
    const WaitingAccess& first = queue[primary.position];
    const std::uint32_t behind = primary.position + 1;
    if (fit_ != Fit::sub_banks || end > behind + PairPoint::kWindow) return partner;
    PairPoint::View seen{view.now, first.sub_banks, {}, {}};
    for (std::uint32_t i = behind; i < end; ++i) {
      seen.others[i - behind] = queue[i].sub_banks;
      seen.ready[i - behind] =
          may_pair(view, first, queue[i]) && may_go(view, queue, i) && takes(first, queue[i]);
    }
    std::uint8_t answer =
        partner == kUnlimited ? PairPoint::kNone : static_cast<std::uint8_t>(partner - behind);
    probe_.answered(seen, answer);
    return answer == PairPoint::kNone ? kUnlimited : behind + answer;
  }

  CollectorPorts::Kind ports(const ArbiterView& view) const {
    using Kind = CollectorPorts::Kind;
    if (!view.sliced_collectors || fit_ == Fit::any) return Kind::whole;
    return fit_ == Fit::sub_banks ? Kind::sliced : fit_ == Fit::widths ? Kind::widths : Kind::sides;
  }

  // Returns the reason why a bank cannot serve both accesses in one cycle; Alone::none_waits if it can serve
  // both.
  Alone overlap(const WaitingAccess& first, const WaitingAccess& other) const {
    if (fit_ == Fit::sub_banks ? (first.sub_banks & other.sub_banks) == 0 : fits(first, other))
      return Alone::none_waits;
    const unsigned all = (1u << sub_banks_) - 1;
    return first.sub_banks == all || other.sub_banks == all ? Alone::full : Alone::overlap;
  }
  // For a limit study: returns true if both accesses may be served in one cycle although their sub-banks
  // overlap. Fit::widths: the sum of both widths must fit into a row. Fit::any: always true. Other values:
  // one register must be left-aligned, the other right-aligned.
  bool fits(const WaitingAccess& first, const WaitingAccess& other) const {
    if (fit_ == Fit::widths)
      return std::popcount(first.sub_banks) + std::popcount(other.sub_banks) <= sub_banks_;
    return fit_ == Fit::any || first.left != other.left;
  }
  // The arbiter records one reason why an access is served alone. Returns true if a further reason, `apart`,
  // must replace the recorded reason `known`.
  static bool says_more(Alone apart, Alone known) {
    return known == Alone::none_waits || (known == Alone::full && apart == Alone::overlap);
  }

  // Returns true if configuration and ports permit both accesses in one cycle. If reads and writes have
  // separate ports, two reads or two writes can share a cycle, but a read and a write cannot.
  bool may_pair(const ArbiterView& view, const WaitingAccess& first, const WaitingAccess& other) const {
    if (first.write != other.write ? view.separate_ports || !read_write_
                                   : !(first.write ? write_write_ : read_read_))
      return false;
    if (same_instruction_ && (!first.owner || first.owner != other.owner)) return false;
    return !same_row_ || first.row == other.row;
  }
  bool takes(const WaitingAccess& first, const WaitingAccess& other) const {
    return other.write || one_word(first, other) || ports_.has_room(other);
  }
  // Returns true if both accesses read the same row for the same collector, which then receives one word.
  bool one_word(const WaitingAccess& first, const WaitingAccess& other) const {
    return same_row_ && !first.write && !other.write && first.source == other.source;
  }

  // Returns true if access `i` may be served: its earliest cycle (`from`) has come, its sub-banks are known,
  // and no older access to the same entry waits before it.
  static bool may_go(const ArbiterView& view, const BankQueueView& queue, std::uint32_t i) {
    return queue[i].from <= view.now && queue[i].sub_banks != 0 && !overtakes(queue, i);
  }

  bool same_instruction_, same_row_;
  Fit fit_;
  bool read_read_ = false, write_write_ = false, read_write_ = false;
  std::uint32_t window_;
  CollectorPorts ports_;
  int sub_banks_;
  Probe<PairPoint> probe_{*this};
};

const Registration<BankArbiter, Coalescing, CoalescingParameters> coalescing_entry{
    "coalescing",
    "the oldest access of every bank and port, together with one that fits (Radaideh 2021, IV-B3)"};

const Arrays<BankArbiter> coalescing_arrays{"coalescing", {}};

}  // namespace
}  // namespace heddle

#include "models/banks/sub_bank_counters.h"

#include <bit>
#include <string>

#include "models/banks/quarters.h"
#include "models/core/error.h"

namespace heddle {
namespace {

// Number of sub-banks in each set of sub-banks (index: bit mask of the set). A table is faster than
// std::popcount on processors without a popcount instruction.
constexpr std::array<std::uint8_t, 256> kOpened = [] {
  std::array<std::uint8_t, 256> widths{};
  for (unsigned set = 0; set < widths.size(); ++set)
    widths[set] = static_cast<std::uint8_t>(std::popcount(set));
  return widths;
}();

}  // namespace

SubBankCounters::SubBankCounters(const StatsScope& stats, const Shape& shape)
    : separate_ports_(shape.separate_ports),
      limit_(shape.limit),
      sliced_(shape.sliced),
      open_(shape.banks * 2),
      taken_(static_cast<std::size_t>(shape.collectors)),
      accesses_(stats.add("accesses", "accesses", "cycles of a bank's port: a pair counts once")),
      read_read_(stats.add("pairs_read_read", "pairs", "two reads served together")),
      same_instruction_(stats.add("pairs_same_instruction", "pairs", "pairs of reads of one instruction")),
      write_write_(stats.add("pairs_write_write", "pairs", "two writes served together")),
      read_write_(stats.add("pairs_read_write", "pairs", "a read and a write served together")),
      first_reads_(stats.add("first_reads", "accesses", "reads of the old contents for a write")),
      collector_writes_(stats.add("collector_writes", "accesses",
                                  "cycles of a collector's port; words that it accepts together count once")),
      collector_pairs_other_bank_(
          stats.add("collector_pairs_other_bank", "words",
                    "words that a collector accepted together with a word of another bank")),
      partial_writes_(
          stats.add("partial_writes", "accesses", "writes that kept live lanes of the old value")),
      promotions_(stats.add("promotions", "accesses", "partial writes that widened the row")),
      unpaired_overlap_(stats.add("unpaired_overlap", "accesses",
                                  "accesses served alone because the possible partner overlaps in sub-banks; "
                                  "neither has full width")),
      unpaired_full_(
          stats.add("unpaired_full", "accesses",
                    "accesses served alone because the access or the possible partner has full width")),
      unpaired_collector_(stats.add(
          "unpaired_collector", "accesses",
          "accesses served alone because the collector of the possible partner accepts no more words")) {
  for (int w = 1; w <= shape.sub_banks; ++w) {
    const std::string width = std::to_string(w);
    reads_.push_back(
        &stats.add("reads_width_" + width, "accesses", "reads that opened " + width + " sub-banks"));
    writes_.push_back(
        &stats.add("writes_width_" + width, "accesses", "writes that opened " + width + " sub-banks"));
  }
  for (unsigned set = 0; set < quarters_.size(); ++set)
    quarters_[set] = static_cast<std::uint8_t>(quarters_of(set, shape.sub_banks));
}

inline void SubBankCounters::count_word(const WaitingAccess& access, const BankQueue::Item& item,
                                        std::size_t width) {
  if (item.read_first) {
    ++first_reads_;
    first_read_sub_banks_ += width;
    return;
  }
  ++*(access.write ? writes_ : reads_)[width - 1];
  if (!access.write) return;
  if (item.partial) ++partial_writes_;
  if (item.widens) ++promotions_;
}

inline void SubBankCounters::count_pair(const Open& open, const WaitingAccess& access, bool write) {
  if (open.write != write) {
    ++read_write_;
  } else if (write) {
    ++write_write_;
  } else {
    ++read_read_;
    if (open.owner && open.owner == access.owner) ++same_instruction_;
  }
}

// Counts a register value that arrives at a collector. Several values may arrive in one cycle. They count as
// one write of the collector's storage if they use different slices of the collector's port. If the port has no
// slices, they count as one write only if they also come from the same row.
inline void SubBankCounters::count_collector(Cycle now, BankId bank, const WaitingAccess& access) {
  if (access.source >= taken_.size()) {
    ++uncollected_;
    return;
  }
  Taken& taken = taken_[access.source].in(now);
  const bool same_row = taken.bank == bank && taken.row == access.row;
  const std::uint8_t slices = quarters_[access.sub_banks];
  if (taken.slices != 0 && !(taken.slices & slices) && (sliced_ || same_row)) {
    taken.slices |= slices;
    ++joined_;
    if (taken.bank != bank) ++collector_pairs_other_bank_;
    return;
  }
  ++collector_writes_;
  taken = {slices, bank, access.row};
}

int SubBankCounters::served(Cycle now, ServedAccess& served, const WaitingAccess& access,
                            const BankQueue::Item& item) {
  const bool write = access.write && !item.read_first;
  const int width = kOpened[access.sub_banks];
  if (width == 0) throw InternalError("an access is served before its sub-banks are known");
  count_word(access, item, static_cast<std::size_t>(width));
  if (!access.write) count_collector(now, served.bank, access);
  if (served.alone == Alone::overlap) ++unpaired_overlap_;
  if (served.alone == Alone::full) ++unpaired_full_;
  if (served.alone == Alone::collector) ++unpaired_collector_;
  Open& open = open_[2 * served.bank.value + (separate_ports_ && access.write)].in(now);
  served.sub_banks =
      limit_ ? access.sub_banks : static_cast<std::uint8_t>(access.sub_banks & ~open.sub_banks);
  if (open.sub_banks == 0) {
    ++accesses_;
    open = {access.sub_banks, write, access.owner};
    return width;
  }
  if (!limit_ && (open.sub_banks & access.sub_banks))
    throw InternalError("two accesses open the same sub-bank in one cycle");
  open.sub_banks |= access.sub_banks;
  count_pair(open, access, write);
  return width;
}

void SubBankCounters::balance(const BankTotals& totals, StageBalance& balance) const {
  std::uint64_t reads = 0, writes = 0, read_sub_banks = first_read_sub_banks_, write_sub_banks = 0;
  for (std::size_t w = 0; w < reads_.size(); ++w) {
    reads += reads_[w]->value();
    writes += writes_[w]->value();
    read_sub_banks += (w + 1) * reads_[w]->value();
    write_sub_banks += (w + 1) * writes_[w]->value();
  }
  const std::uint64_t words = totals.reads + totals.writes + first_reads_.value();
  const std::uint64_t pairs = read_read_.value() + write_write_.value() + read_write_.value();
  balance.rules.push_back({"reads of all widths, reads served", reads, totals.reads});
  balance.rules.push_back({"writes of all widths, writes served", writes, totals.writes});
  balance.rules.push_back({"sub-banks of all reads, opened ones", read_sub_banks, totals.read_sub_banks});
  balance.rules.push_back({"sub-banks of all writes, opened ones", write_sub_banks, totals.write_sub_banks});
  balance.rules.push_back({"words and first reads, accesses and pairs", words, accesses_.value() + pairs});
  balance.rules.push_back({"words that collectors take, reads served",
                           collector_writes_.value() + joined_ + uncollected_, totals.reads});
}

}  // namespace heddle

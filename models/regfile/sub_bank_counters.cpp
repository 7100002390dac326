#include "models/regfile/sub_bank_counters.h"

#include <bit>
#include <string>

#include "models/core/error.h"

namespace heddle {

SubBankCounters::SubBankCounters(const StatsScope& stats, std::size_t banks, bool separate_ports, bool limit)
    : separate_ports_(separate_ports),
      limit_(limit),
      open_(banks * 2),
      accesses_(stats.add("accesses", "accesses", "cycles of a bank's port: a pair counts once")),
      read_read_(stats.add("pairs_read_read", "pairs", "two reads served together")),
      same_instruction_(stats.add("pairs_same_instruction", "pairs", "of these, by one instruction")),
      write_write_(stats.add("pairs_write_write", "pairs", "two writes served together")),
      read_write_(stats.add("pairs_read_write", "pairs", "a read and a write served together")),
      read_sub_banks_(stats.add("read_sub_banks", "sub-banks", "opened by reads, those of writes included")),
      write_sub_banks_(stats.add("write_sub_banks", "sub-banks", "opened by writes")),
      first_reads_(stats.add("first_reads", "accesses", "reads of the old contents for a write")) {
  for (std::size_t w = 0; w < reads_.size(); ++w) {
    const std::string width = std::to_string(w + 1);
    reads_[w] = &stats.add("reads_width_" + width, "accesses", "reads that opened " + width + " sub-banks");
    writes_[w] =
        &stats.add("writes_width_" + width, "accesses", "writes that opened " + width + " sub-banks");
  }
}

void SubBankCounters::served(Cycle now, BankId bank, const WaitingAccess& access, bool reads_first) {
  const bool write = access.write && !reads_first;
  const auto width = static_cast<std::size_t>(std::popcount(access.sub_banks));
  (write ? write_sub_banks_ : read_sub_banks_) += width;
  if (reads_first)
    ++first_reads_;
  else
    ++*(write ? writes_ : reads_)[width - 1];
  Open& open = open_[2 * bank.value + (separate_ports_ && access.write)];
  if (open.in != now) {
    ++accesses_;
    open = {now, access.sub_banks, write, access.owner};
    return;
  }
  if (!limit_ && (open.sub_banks & access.sub_banks))
    throw InternalError("two accesses open the same sub-bank in one cycle");
  open.sub_banks |= access.sub_banks;
  count_pair(open, access, write);
}

void SubBankCounters::count_pair(const Open& open, const WaitingAccess& access, bool write) {
  if (open.write != write) {
    ++read_write_;
  } else if (write) {
    ++write_write_;
  } else {
    ++read_read_;
    if (open.owner && open.owner == access.owner) ++same_instruction_;
  }
}

std::uint64_t SubBankCounters::words_read() const {
  std::uint64_t words = 0;
  for (const Counter* counter : reads_) words += counter->value();
  return words;
}

std::uint64_t SubBankCounters::words_written() const {
  std::uint64_t words = 0;
  for (const Counter* counter : writes_) words += counter->value();
  return words;
}

std::uint64_t SubBankCounters::accesses() const {
  return accesses_.value() + read_read_.value() + write_write_.value() + read_write_.value();
}

}  // namespace heddle

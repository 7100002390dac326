#include "testbench/output/waves_vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle::output {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;  // stays in the host's caches
constexpr std::size_t kRoom = 128;             // for a time and a value, and what is overwritten after them

// Short names of printable characters: "!", "\"", ... "~", "!!", ...
std::string short_name(std::size_t number) {
  constexpr std::size_t kFirst = '!', kCount = '~' - '!' + 1;
  std::string name;
  for (++number; number > 0; number = (number - 1) / kCount)
    name += static_cast<char>(kFirst + (number - 1) % kCount);
  return name;
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1)
    parts.push_back(name.substr(begin, dot - begin));
  parts.push_back(name.substr(begin));
  return parts;
}

// The digits of a byte, the highest bit first.
constexpr std::array<std::array<char, 8>, 256> kDigits = [] {
  std::array<std::array<char, 8>, 256> digits{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) digits[byte][bit] = byte >> (7 - bit) & 1 ? '1' : '0';
  return digits;
}();

/// A small value as a line has it, without leading zeros.
struct ShortValue {
  std::array<char, 15> text{};
  std::uint8_t size = 0;
};
constexpr std::array<ShortValue, 64> kShort = [] {
  std::array<ShortValue, 64> all{};
  for (unsigned value = 0; value < all.size(); ++value) {
    ShortValue& short_value = all[value];
    short_value.text[short_value.size++] = 'b';
    for (int bit = std::bit_width(value | 1); bit-- > 0;)
      short_value.text[short_value.size++] = value >> bit & 1 ? '1' : '0';
  }
  return all;
}();

// `bits` without leading zeros; returns where they end. Writes whole bytes' digits, up to 64 characters. Most values have
// few bits.
char* put_digits(char* to, std::uint64_t bits) {
  const int digits = std::bit_width(bits | 1);
  char* const first = to;
  bits <<= 64 - digits;
  for (char* const end = to + digits; to < end; to += 8, bits <<= 8)
    std::memcpy(to, kDigits[bits >> 56].data(), 8);
  return first + digits;
}

constexpr std::uint64_t kEightDigits = 100'000'000;

// One a byte, the last one in the lowest; of a number below 10^8.
std::uint64_t digits_of(std::uint64_t number) {
  std::uint64_t digits = 0;
  for (int at = 0; number != 0; at += 8, number /= 10) digits |= number % 10 << at;
  return digits;
}

}  // namespace

VcdWriter::VcdWriter(run::NewFile& file) : file_(&file), text_(kBufferBytes + kRoom), next_(text_.data()) {}

std::size_t VcdWriter::add(const std::string& name, int width) {
  const std::string ending = " " + short_name(declarations_.size()) + "\n";
  Signal signal;
  signal.ending_size = static_cast<std::uint8_t>(ending.size());
  std::copy(ending.begin(), ending.end(), signal.ending.begin());
  signal.one_bit = width == 1;
  declarations_.push_back({name, width, signals_.size()});
  signals_.push_back(signal);
  return signals_.size() - 1;
}

std::size_t VcdWriter::add_unwritten() {
  signals_.emplace_back();
  return signals_.size() - 1;
}

void VcdWriter::declare(const std::string& timescale) {
  file_->write(fmt::format("$version Heddle $end\n$timescale {} $end\n", timescale));
  std::vector<std::string> open;
  for (std::size_t i = 0; i < declarations_.size(); ++i) {
    const auto& [name, width, number] = declarations_[i];
    std::vector<std::string> scope = parts_of(name);
    const std::string leaf = scope.back();
    scope.pop_back();
    const auto same = static_cast<std::size_t>(
        std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin());
    for (; open.size() > same; open.pop_back()) file_->write("$upscope $end\n");
    for (; open.size() < scope.size(); open.push_back(scope[open.size()]))
      file_->write(fmt::format("$scope module {} $end\n", scope[open.size()]));
    const std::string range = width > 1 ? fmt::format(" [{}:0]", width - 1) : "";
    file_->write(fmt::format("$var wire {} {} {}{} $end\n", width, short_name(i), leaf, range));
  }
  for (; !open.empty(); open.pop_back()) file_->write("$upscope $end\n");
  file_->write("$enddefinitions $end\n");
}

void VcdWriter::begin(const std::string& timescale, std::uint64_t time) {
  declare(timescale);
  time_ = put_ = time;
  set_digits();
  file_->write(fmt::format("#{}\n$dumpvars\n", time));
  for (const Declaration& declaration : declarations_) {
    make_room();
    const Signal& signal = signals_[declaration.signal];
    if (signal.one_bit)
      put_bit(signal, next_, 'x');
    else
      put(signal, next_, 'x');
  }
  flush();
  file_->write("$end\n");
  room_until_ = room_end();
}

void VcdWriter::at(std::uint64_t time) {
  if (time < time_) throw InternalError("a waveform goes back in time");
  time_ = time;
  room_until_ = put_ != time ? nullptr : room_end();
}

void VcdWriter::end(std::uint64_t time) {
  at(time);
  make_room();
  if (put_ != time_) put_time();
  flush();
  file_->finish();
}

void VcdWriter::change(Signal& signal, Level level) {
  if (signal.ending_size == 0) {
    signal.level = level;
    return;
  }
  char* const at = next_;
  if (at >= room_until_) return change_after_time(signal, level);
  signal.level = level;
  signal.had = static_cast<std::uint8_t>(2 * signal.had + 1);
  if (signal.one_bit) return put_bit(signal, at, !level.driven ? 'z' : level.bits & 1 ? '1' : '0');
  if (!level.driven) return put(signal, at, 'z');
  if (level.bits >= kShort.size()) {
    *at = 'b';
    return end_line(signal, put_digits(at + 1, level.bits));
  }
  const ShortValue& value = kShort[level.bits];
  std::memcpy(at, value.text.data(), value.text.size());
  end_line(signal, at + value.size);
}

void VcdWriter::set_digits() {
  low_ = digits_of(put_ % kEightDigits);
  high_ = put_ < kEightDigits ? std::string() : std::to_string(put_ / kEightDigits);
}

// Times follow each other closely, most of them at one distance: its digits are added to the others, all at once. A sum
// of two digits that is below ten keeps the six that were added to carry.
inline void VcdWriter::pass(std::uint64_t time) {
  const std::uint64_t step = time - put_;
  put_ = time;
  if (step != step_) {
    if (step >= kEightDigits) return set_digits();
    step_ = step;
    step_digits_ = digits_of(step);
  }
  const std::uint64_t sum = low_ + step_digits_ + 0xf6f6'f6f6'f6f6'f6f6u;
  if (sum < low_) return set_digits();  // a ninth digit changes
  low_ = sum - (sum >> 4 & 0x0101'0101'0101'0101u) * 0xf6;
}

inline void VcdWriter::put_time() {
  pass(time_);
  char* at = next_;
  *at++ = '#';
  std::uint64_t digits = __builtin_bswap64(low_);
  std::size_t count = 8;
  if (high_.empty()) {
    const int leading = std::countr_zero(digits | std::uint64_t{1} << 56) / 8;
    count -= static_cast<std::size_t>(leading);
    digits >>= 8 * leading;
  } else {
    at = std::copy(high_.begin(), high_.end(), at);
  }
  digits |= 0x3030'3030'3030'3030u;
  std::memcpy(at, &digits, sizeof digits);
  at[count] = '\n';
  next_ = at + count + 1;
}

void VcdWriter::change_after_time(Signal& signal, Level level) {
  make_room();
  if (put_ != time_) put_time();
  room_until_ = room_end();
  change(signal, level);
}

inline void VcdWriter::put_bit(const Signal& signal, char* at, char state) {
  end_line(signal, at);
  *at = state;  // in the place of the space
}

inline void VcdWriter::put(const Signal& signal, char* at, char state) {
  at[0] = 'b';
  at[1] = state;
  end_line(signal, at + 2);
}

inline void VcdWriter::end_line(const Signal& signal, char* at) {
  std::memcpy(at, signal.ending.data(), signal.ending.size());
  next_ = at + signal.ending_size;
}

inline char* VcdWriter::room_end() { return text_.data() + kBufferBytes; }

inline void VcdWriter::make_room() {
  if (next_ >= room_end()) flush();
}

void VcdWriter::flush() {
  file_->write({text_.data(), static_cast<std::size_t>(next_ - text_.data())});
  next_ = text_.data();
}

}  // namespace heddle::output

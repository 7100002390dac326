#include "testbench/output/waves_vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle::output {
namespace {

// Size of the output buffer in bytes. The buffer is small enough for the caches of the host computer.
constexpr std::size_t kBufferBytes = 1 << 16;
// Bytes reserved for a line of the file. A line may write more bytes than it needs; the next line overwrites
// the rest.
constexpr std::size_t kRoom = 96;

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

// For each byte value, its eight binary digits, highest bit first.
constexpr std::array<std::array<char, 8>, 256> kDigits = [] {
  std::array<std::array<char, 8>, 256> digits{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) digits[byte][bit] = byte >> (7 - bit) & 1 ? '1' : '0';
  return digits;
}();

// Writes the binary digits of `bits` without leading zeros, and returns the end of the digits. Writes 16
// digits at a time, because most values have no more.
char* put_digits(char* to, std::uint64_t bits) {
  const int digits = std::bit_width(bits | 1);
  char* const end = to + digits;
  bits <<= 64 - digits;
  do {
    std::memcpy(to, kDigits[bits >> 56].data(), 8);
    std::memcpy(to + 8, kDigits[bits >> 48 & 0xff].data(), 8);
    to += 16;
    bits <<= 16;
  } while (to < end);
  return end;
}

constexpr std::uint64_t kEightDigits = 100'000'000;

// Returns the decimal digits of a number below 10^8, one digit per byte. The last decimal digit is in the
// lowest byte.
std::uint64_t digits_of(std::uint64_t number) {
  std::uint64_t digits = 0;
  for (int at = 0; number != 0; at += 8, number /= 10) digits |= number % 10 << at;
  return digits;
}

}  // namespace

constexpr std::array<VcdWriter::ShortValue, 64> VcdWriter::kShort = [] {
  std::array<ShortValue, 64> all{};
  for (unsigned value = 0; value < all.size(); ++value) {
    ShortValue& short_value = all[value];
    short_value.text[short_value.size++] = 'b';
    for (int bit = std::bit_width(value | 1); bit-- > 0;)
      short_value.text[short_value.size++] = value >> bit & 1 ? '1' : '0';
  }
  return all;
}();

VcdWriter::VcdWriter(launch::NewFile& file) : file_(&file) {}

std::size_t VcdWriter::add(const std::string& name, int width) {
  const std::string ending = " " + short_name(declarations_.size()) + "\n";
  Signal signal;
  signal.ending_size = static_cast<std::uint8_t>(ending.size());
  std::copy(ending.begin(), ending.end(), signal.ending.begin());
  signal.form = width == 1 ? Form::bit : Form::number;
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

void VcdWriter::begin(std::uint64_t time) {
  text_.resize(kBufferBytes + (signals_.size() + 1) * kRoom);
  next_ = text_.data();
  time_ = time;
  set_digits();
  file_->write(fmt::format("#{}\n$dumpvars\n", time));
  for (const Declaration& declaration : declarations_) {
    make_room();
    const Signal& signal = signals_[declaration.signal];
    next_ = signal.form == Form::bit ? put_bit(next_, signal, 'x') : put_state(next_, signal, 'x');
  }
  flush();
  file_->write("$end\n");
}

void VcdWriter::at(std::uint64_t time) {
  if (time == time_) return;
  if (time < time_) throw InternalError("a waveform goes back in time");
  if (next_ == time_to_) next_ = time_from_;
  make_room();
  put_time(time - time_);
}

void VcdWriter::end(std::uint64_t time) {
  at(time);
  time_from_ = time_to_ = nullptr;
  flush();
  file_->finish();
}

VcdWriter::Lines VcdWriter::begin_lines() {
  make_room();
  return {signals_.data(), next_};
}

void VcdWriter::set(std::size_t signal, Level level) {
  Lines lines = begin_lines();
  lines.set(signal, level);
  end_lines(lines);
}

char* VcdWriter::put(char* at, Signal& signal, Level level) {
  signal.level = level;
  if (signal.form != Form::number) {
    if (signal.form == Form::unwritten) return at;
    ++signal.lines;
    return put_bit(at, signal, !level.driven ? 'z' : level.bits & 1 ? '1' : '0');
  }
  ++signal.lines;
  if (!level.driven) return put_state(at, signal, 'z');
  *at = 'b';
  return end_line(put_digits(at + 1, level.bits), signal);
}

void VcdWriter::set_digits() {
  low_ = digits_of(time_ % kEightDigits);
  high_ = time_ < kEightDigits ? std::string() : std::to_string(time_ / kEightDigits);
}

// Adds `step` to the time. The time's decimal digits, one per byte, are all added at once. For this, 246
// (0xf6) is added to each byte, so that a digit sum above 9 carries into the next byte. Afterwards, 246 is
// subtracted from the bytes that had no carry. Keeps the digits of the last `step`, because most steps are
// equal.
inline void VcdWriter::pass(std::uint64_t step) {
  time_ += step;
  if (step != step_) {
    if (step >= kEightDigits) return set_digits();
    step_ = step;
    step_digits_ = digits_of(step);
  }
  const std::uint64_t sum = low_ + step_digits_ + 0xf6f6'f6f6'f6f6'f6f6u;
  // The addition has carried beyond the eighth digit, so the upper digits change too.
  if (sum < low_) return set_digits();
  low_ = sum - (sum >> 4 & 0x0101'0101'0101'0101u) * 0xf6;
}

inline void VcdWriter::put_time(std::uint64_t step) {
  pass(step);
  char* at = time_from_ = next_;
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
  next_ = time_to_ = at + count + 1;
}

inline char* VcdWriter::put_bit(char* at, const Signal& signal, char state) {
  char* const end = end_line(at, signal);
  *at = state;  // replaces the blank that end_line() wrote before the identifier
  return end;
}

inline char* VcdWriter::put_state(char* at, const Signal& signal, char state) {
  at[0] = 'b';
  at[1] = state;
  return end_line(at + 2, signal);
}

inline void VcdWriter::make_room() {
  if (next_ >= text_.data() + kBufferBytes) flush();
}

// Writes the buffer to the file. A time stamp at the end of the buffer is not written yet, because it is dropped if no
// value changes at this time.
void VcdWriter::flush() {
  const bool open = next_ == time_to_ && time_from_ != time_to_;
  char* const end = open ? time_from_ : next_;
  file_->write({text_.data(), static_cast<std::size_t>(end - text_.data())});
  next_ = std::copy(end, next_, text_.data());
  time_from_ = text_.data();
  time_to_ = open ? next_ : nullptr;
}

}  // namespace heddle::output

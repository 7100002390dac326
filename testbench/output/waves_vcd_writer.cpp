#include "testbench/output/waves_vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle::output {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr std::size_t kLineBytes = 128;  // the longest line, and what is overwritten behind it

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

}  // namespace

VcdWriter::VcdWriter(const std::string& path)
    : place_(path), file_(place_.part(), std::ios::binary), text_(kBufferBytes + kLineBytes) {
  if (!file_) throw Error(path, "cannot write this file");
}

std::size_t VcdWriter::add(const std::string& name, int width) {
  Signal signal{name, short_name(signals_.size()), width};
  const std::string ending = " " + signal.id + "\n";
  signal.ending_size = ending.size();
  std::copy(ending.begin(), ending.end(), signal.ending.begin());
  signals_.push_back(signal);
  return signals_.size() - 1;
}

void VcdWriter::declare(const std::string& timescale) {
  file_ << fmt::format("$version Heddle $end\n$timescale {} $end\n", timescale);
  std::vector<std::string> open;
  for (const Signal& signal : signals_) {
    std::vector<std::string> scope = parts_of(signal.name);
    const std::string leaf = scope.back();
    scope.pop_back();
    const auto same = static_cast<std::size_t>(
        std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin());
    for (; open.size() > same; open.pop_back()) file_ << "$upscope $end\n";
    for (; open.size() < scope.size(); open.push_back(scope[open.size()]))
      file_ << fmt::format("$scope module {} $end\n", scope[open.size()]);
    const std::string range = signal.width > 1 ? fmt::format(" [{}:0]", signal.width - 1) : "";
    file_ << fmt::format("$var wire {} {} {}{} $end\n", signal.width, signal.id, leaf, range);
  }
  for (; !open.empty(); open.pop_back()) file_ << "$upscope $end\n";
  file_ << "$enddefinitions $end\n";
}

void VcdWriter::begin(const std::string& timescale, std::uint64_t time) {
  declare(timescale);
  time_ = time;
  file_ << fmt::format("#{}\n$dumpvars\n", time);
  for (const Signal& signal : signals_) put(signal, 'x');
  flush();
  file_ << "$end\n";
}

void VcdWriter::change(std::uint64_t time, std::size_t signal, Level level) {
  advance(time);
  put(signals_[signal], level);
}

void VcdWriter::end(std::uint64_t time) {
  advance(time);
  flush();
  file_.close();
  if (!file_) throw Error(place_.path(), "cannot write this file");
  place_.commit();
}

void VcdWriter::advance(std::uint64_t time) {
  if (time < time_) throw InternalError("a waveform goes back in time");
  if (time == time_) return;
  time_ = time;
  char* const begin = line();
  used_ += static_cast<std::size_t>(fmt::format_to(begin, "#{}\n", time) - begin);
}

void VcdWriter::put(const Signal& signal, char state) {
  char* at = line();
  if (signal.width > 1) {
    at[0] = 'b';
    at[1] = state;
    std::memcpy(at + 2, signal.ending.data(), signal.ending.size());
    used_ += 2 + signal.ending_size;
  } else {
    std::memcpy(at, signal.ending.data(), signal.ending.size());
    at[0] = state;  // in the place of the space
    used_ += signal.ending_size;
  }
}

// What a waveform costs is mostly this: no branch hangs on the value. Digits behind the last one are overwritten.
void VcdWriter::put(const Signal& signal, Level level) {
  if (!level.driven) return put(signal, 'z');
  if (signal.width == 1) return put(signal, level.bits & 1 ? '1' : '0');
  const auto digits = static_cast<std::size_t>(std::max(static_cast<int>(std::bit_width(level.bits)), 1));
  const std::uint64_t bits = level.bits << (64 - digits);
  char* at = line();
  at[0] = 'b';
  for (std::size_t byte = 0; byte < 8; ++byte)
    std::memcpy(at + 1 + 8 * byte, kDigits[bits >> (56 - 8 * byte) & 0xff].data(), 8);
  std::memcpy(at + 1 + digits, signal.ending.data(), signal.ending.size());
  used_ += 1 + digits + signal.ending_size;
}

char* VcdWriter::line() {
  if (used_ > kBufferBytes) flush();
  return &text_[used_];
}

void VcdWriter::flush() {
  file_.write(text_.data(), static_cast<std::streamsize>(used_));
  used_ = 0;
}

}  // namespace heddle::output

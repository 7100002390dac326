#include "testbench/output/waves_vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "models/core/error.h"

namespace heddle::output {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

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

}  // namespace

VcdWriter::VcdWriter(const std::string& path) : place_(path), file_(place_.part(), std::ios::binary) {
  if (!file_) throw Error(path, "cannot write this file");
}

std::size_t VcdWriter::add(const std::string& name, int width) {
  signals_.push_back({name, short_name(signals_.size()), width});
  return signals_.size() - 1;
}

void VcdWriter::declare(const std::string& timescale) {
  text_ += fmt::format("$version Heddle $end\n$timescale {} $end\n", timescale);
  std::vector<std::string> open;
  for (const Signal& signal : signals_) {
    std::vector<std::string> scope = parts_of(signal.name);
    const std::string leaf = scope.back();
    scope.pop_back();
    const auto same = static_cast<std::size_t>(
        std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin());
    for (; open.size() > same; open.pop_back()) text_ += "$upscope $end\n";
    for (; open.size() < scope.size(); open.push_back(scope[open.size()]))
      text_ += fmt::format("$scope module {} $end\n", scope[open.size()]);
    const std::string range = signal.width > 1 ? fmt::format(" [{}:0]", signal.width - 1) : "";
    text_ += fmt::format("$var wire {} {} {}{} $end\n", signal.width, signal.id, leaf, range);
  }
  for (; !open.empty(); open.pop_back()) text_ += "$upscope $end\n";
  text_ += "$enddefinitions $end\n";
}

void VcdWriter::begin(const std::string& timescale, std::uint64_t time) {
  declare(timescale);
  time_ = time;
  text_ += fmt::format("#{}\n$dumpvars\n", time);
  for (const Signal& signal : signals_) put(signal, 'x');
  text_ += "$end\n";
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
  if (text_.size() >= kBufferBytes) flush();
  fmt::format_to(std::back_inserter(text_), "#{}\n", time);
}

void VcdWriter::put(const Signal& signal, char state) {
  if (signal.width > 1) text_ += 'b';
  text_ += state;
  if (signal.width > 1) text_ += ' ';
  text_ += signal.id;
  text_ += '\n';
}

void VcdWriter::put(const Signal& signal, Level level) {
  if (!level.driven) return put(signal, 'z');
  if (signal.width == 1) return put(signal, level.bits & 1 ? '1' : '0');
  char line[80];
  char* end = line;
  *end++ = 'b';
  for (int bit = std::max(static_cast<int>(std::bit_width(level.bits)), 1); bit-- > 0;)
    *end++ = static_cast<char>('0' + ((level.bits >> bit) & 1));
  *end++ = ' ';
  end = std::copy(signal.id.begin(), signal.id.end(), end);
  *end++ = '\n';
  text_.append(line, end);
}

void VcdWriter::flush() {
  file_ << text_;
  text_.clear();
}

}  // namespace heddle::output

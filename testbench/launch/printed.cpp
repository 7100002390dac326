#include "testbench/launch/printed.h"

#include <algorithm>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/runtime_call.h"

namespace heddle::launch {
namespace {

constexpr std::size_t kLongestString = 4096;

std::string string_at(const MemoryImage& memory, std::uint64_t address) {
  std::string text;
  while (text.size() < kLongestString) {
    const std::uint8_t* const byte = memory.find(address + text.size(), 1);
    if (!byte) return text.empty() ? "(bad address)" : text;
    if (*byte == 0) break;
    text += static_cast<char>(*byte);
  }
  return text;
}

class Records {
 public:
  Records(const isa::KernelLaunch& launch, const MemoryImage& memory) : launch_(launch), memory_(memory) {}

  /// Reads one record of a printf buffer. Returns the size of the record in bytes.
  std::size_t read(const std::uint8_t* from, std::size_t room, PrintedText& into) const {
    const auto word = [from](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, from + at, sizeof value);
      return value;
    };
    const auto& calls = launch_.program->runtime_calls;
    const std::uint32_t site = word(0);
    if (site == 0 || site > calls.size())
      throw Error(launch_.program->file, "the printf buffer is overwritten");
    const auto fields = isa::parse_printf(calls[site - 1].text, 64, launch_.program->file);
    std::vector<std::uint64_t> values;
    std::size_t at = isa::kPrintfHead;
    for (std::uint8_t bytes : isa::value_bytes(fields)) {
      if (at + 8 > room) throw Error(launch_.program->file, "the printf buffer is overwritten");
      std::uint64_t value = 0;
      std::memcpy(&value, from + at, bytes);
      values.push_back(value);
      at += 8;
    }
    into.launch = launch_.id.value;
    into.thread = {word(4) & 1023u, word(4) >> 10 & 1023u, word(4) >> 20};
    into.cta = {word(8), word(12) & 0xffffu, word(12) >> 16};
    into.text = isa::print(fields, values, [this](std::uint64_t a) { return string_at(memory_, a); });
    return at;
  }

 private:
  const isa::KernelLaunch& launch_;
  const MemoryImage& memory_;
};

}  // namespace

std::string Printed::text() const {
  std::string all;
  for (const PrintedText& call : calls) all += call.text;
  return all;
}

void read_printed(const isa::ModuleVariable& buffer, const isa::KernelLaunch& launch, MemoryImage& memory,
                  Printed& printed) {
  std::uint8_t* const bytes = memory.at(buffer.address, buffer.bytes, buffer.name);
  std::uint32_t taken = 0;
  std::memcpy(&taken, bytes, sizeof taken);
  if (taken == 0) return;
  const Records records(launch, memory);
  const std::size_t end = std::min<std::size_t>(taken, isa::kPrintfBytes);
  std::size_t at = 0;
  while (at + isa::kPrintfHead <= end) {
    std::uint32_t site = 0;
    std::memcpy(&site, bytes + isa::kPrintfFirst + at, sizeof site);
    if (site == 0) break;
    PrintedText call;
    at += records.read(bytes + isa::kPrintfFirst + at, end - at, call);
    printed.calls.push_back(std::move(call));
  }
  printed.lost_bytes += taken - at;
  std::memset(bytes, 0, isa::kPrintfFirst + end);
}

}  // namespace heddle::launch

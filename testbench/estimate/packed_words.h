#pragma once

// Stores numbers in as few bytes as needed: seven bits of the number per byte. A list is stored as the
// differences between neighbouring numbers.

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::estimate {

class PackedWriter {
 public:
  void word(std::uint64_t value) {
    for (; value >= kMore; value >>= kBits) bytes_.push_back(static_cast<std::uint8_t>(value | kMore));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  template <class Word>
  void words(const std::vector<Word>& values) {
    word(values.size());
    std::uint64_t last = 0;
    for (const Word value : values) {
      const auto step = static_cast<std::int64_t>(value - last);
      word(static_cast<std::uint64_t>(step) << 1 ^ static_cast<std::uint64_t>(step >> 63));
      last = value;
    }
  }
  void bytes(std::span<const std::uint8_t> all) {
    word(all.size());
    raw(all);
  }
  void raw(std::span<const std::uint8_t> all) { bytes_.insert(bytes_.end(), all.begin(), all.end()); }
  const std::vector<std::uint8_t>& all() const { return bytes_; }

 private:
  friend class PackedReader;
  /// Bit of a byte that is set if another byte of the same number follows.
  static constexpr std::uint64_t kMore = 0x80;
  static constexpr int kBits = 7;
  std::vector<std::uint8_t> bytes_;
};

/// Reads the output of a PackedWriter. After the end of the output, reads return zeros and empty lists, and
/// good() returns false.
class PackedReader {
 public:
  explicit PackedReader(std::span<const std::uint8_t> all) : left_(all) {}

  void word(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += PackedWriter::kBits) {
      if (left_.empty()) break;
      const std::uint64_t byte = left_.front();
      left_ = left_.subspan(1);
      value |= (byte & ~PackedWriter::kMore) << shift;
      if (byte < PackedWriter::kMore) return;
    }
    fail(value);
  }
  template <class Word>
  void words(std::vector<Word>& values) {
    std::uint64_t last = 0;
    values.resize(count());
    for (Word& value : values) {
      std::uint64_t step = 0;
      word(step);
      last += step >> 1 ^ (0 - (step & 1));
      value = static_cast<Word>(last);
    }
  }
  /// Returns the length of a list. A list longer than the remaining bytes is malformed, because each element
  /// takes at least a byte.
  std::size_t count() {
    std::uint64_t length = 0;
    word(length);
    if (length > left_.size()) fail(length);
    return length;
  }
  std::span<const std::uint8_t> bytes() {
    const std::size_t length = count();
    const std::span<const std::uint8_t> all = left_.first(length);
    left_ = left_.subspan(length);
    return all;
  }
  bool good() const { return good_; }

 private:
  void fail(std::uint64_t& value) {
    value = 0;
    good_ = false;
    left_ = {};
  }
  std::span<const std::uint8_t> left_;
  bool good_ = true;
};

}  // namespace heddle::estimate

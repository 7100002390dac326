#pragma once

// Writes a value change dump (IEEE 1364-2005, clause 18). The caller first declares the signals, and then
// sets values in the order of time. The file does not depend on the computer or the time of day.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "testbench/launch/new_file.h"

namespace heddle::output {

struct Level {
  std::uint64_t bits = 0;
  bool driven = false;

  static Level of(std::uint64_t bits) { return {bits, true}; }
  static Level none() { return {~std::uint64_t{0}, false}; }
  friend bool operator==(const Level&, const Level&) = default;
};

class VcdWriter {
  enum class Form : std::uint8_t { unwritten, bit, number };
  struct Signal {
    /// Value that was written last. Its initial value differs from every value that set() may receive, so the
    /// first value is always written.
    Level level;
    std::array<char, 8> ending{};
    std::uint8_t ending_size = 0;
    Form form = Form::unwritten;
    std::uint64_t lines = 0;
  };
  /// Digits of a small value without leading zeros. The array has a fixed size, so that copying all of it is
  /// fast.
  struct ShortValue {
    std::array<char, 15> text;
    std::uint8_t size;
  };
  static const std::array<ShortValue, 64> kShort;

 public:
  class Lines {
   public:
    /// Writes the value if it differs from the last written value.
    [[gnu::always_inline]] void set(std::size_t signal, Level level) {
      Signal& changing = signals_[signal];
      if (changing.level == level) return;
      if (level.bits < kShort.size() && changing.form == Form::number)
        end_ = put_short(end_, changing, level);
      else
        end_ = put(end_, changing, level);
    }
    /// From this call on, set() counts signals from `signal`: number 0 is this signal.
    void count_from(std::size_t signal) { signals_ = all_ + signal; }

   private:
    friend class VcdWriter;
    Lines(Signal* all, char* end) : all_(all), signals_(all), end_(end) {}
    Signal *all_, *signals_;
    char* end_;  ///< end of the text that this object has written so far
  };

  /// Prepares to write a dump to `file`, which must outlive the writer. The writer does not close the file.
  explicit VcdWriter(launch::NewFile& file);

  /// Declares a signal of 1 to 64 bits and returns its number. Dots in the name separate scopes. Declare the
  /// signals of a scope directly one after the other.
  std::size_t add(const std::string& name, int width);
  std::size_t add_unwritten();
  std::size_t count() const { return signals_.size(); }
  /// Writes the declarations. Call after all signals have been added. `timescale`: in VCD's spelling ("1
  /// ps").
  void declare(const std::string& timescale);
  /// Begins the dump at this time. Signals are unknown (x) until their first value.
  void begin(std::uint64_t time);
  /// Sets the time of the following values. `time` must not be lower than in an earlier call.
  void at(std::uint64_t time);
  /// Returns an object with space for one value of each signal. Pass this object to end_lines() before any
  /// other call.
  Lines begin_lines();
  void end_lines(const Lines& lines) { next_ = lines.end_; }
  void set(std::size_t signal, Level level);
  /// Returns true if at least two values of the signal have been written.
  bool toggled(std::size_t signal) const { return signals_[signal].lines >= 2; }
  /// Ends the dump at this time. Throws Error if the file could not be written.
  void end(std::uint64_t time);

 private:
  struct Declaration {
    std::string name;
    int width;
    std::size_t signal;
  };
  // Each of these functions writes a line to `at` and returns the end of the line.
  [[gnu::noinline]] static char* put(char* at, Signal& signal, Level level);
  static char* put_bit(char* at, const Signal& signal, char state);
  static char* put_state(char* at, const Signal& signal, char state);
  static char* put_short(char* at, Signal& signal, Level level) {
    const ShortValue& value = kShort[level.bits];
    signal.level = level;
    ++signal.lines;
    std::memcpy(at, &value, sizeof value);
    return end_line(at + value.size, signal);
  }
  static char* end_line(char* at, const Signal& signal) {
    std::memcpy(at, signal.ending.data(), signal.ending.size());
    return at + signal.ending_size;
  }
  void put_time(std::uint64_t step);
  void pass(std::uint64_t step);
  void set_digits();
  void make_room();
  void flush();

  launch::NewFile* file_;
  std::vector<char> text_;
  char* next_ = nullptr;
  char* time_from_ = nullptr;
  /// Position after the last time stamp in the buffer. If this position equals next_, no value has changed yet at
  /// this time.
  char* time_to_ = nullptr;
  std::vector<Signal> signals_;
  std::vector<Declaration> declarations_;
  std::uint64_t time_ = 0;
  std::uint64_t low_ =
      0;  ///< lowest eight digits of the time, one per byte, the last digit in the lowest byte
  std::string high_;
  /// Last step of the time, if it was below 10^8; and the decimal digits of this step, one per byte, as in
  /// `low_`.
  std::uint64_t step_ = 0, step_digits_ = 0;
};

}  // namespace heddle::output

#pragma once

// Writes a value change dump (IEEE 1364-2005, clause 18). Signals are declared first, then values change in
// order of time. The file does not depend on the host or on the time of day.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "testbench/launch/new_file.h"

namespace heddle::output {

/// A value of a signal. Without a value the signal is high impedance (z).
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
    /// Last written value. Initially it differs from every value that can be set, so that the first value is
    /// written.
    Level level;
    std::array<char, 8> ending{};  ///< end of the signal's lines in the file: space, identifier and line end
    std::uint8_t ending_size = 0;
    Form form = Form::unwritten;
    std::uint64_t lines = 0;
  };
  /// The characters of a small value without leading zeros, for a fast path that copies the whole array. High
  /// impedance is not a small value.
  struct ShortValue {
    std::array<char, 15> text;
    std::uint8_t size;
  };
  static const std::array<ShortValue, 64> kShort;

 public:
  /// Writes the values that signals have at one time.
  class Lines {
   public:
    /// Sets a signal, given by its number. Writes the value only if it changes.
    [[gnu::always_inline]] void set(std::size_t signal, Level level) {
      Signal& changing = signals_[signal];
      if (changing.level == level) return;
      if (level.bits < kShort.size() && changing.form == Form::number)
        end_ = put_short(end_, changing, level);
      else
        end_ = put(end_, changing, level);
    }
    /// Chooses the signal that has number 0 in the following calls of set(); the others follow in order.
    void count_from(std::size_t signal) { signals_ = all_ + signal; }

   private:
    friend class VcdWriter;
    Lines(Signal* all, char* end) : all_(all), signals_(all), end_(end) {}
    Signal *all_, *signals_;
    char* end_;  ///< end of the text that this object has written so far
  };

  /// `file` must outlive the writer. The owner of the file closes it.
  explicit VcdWriter(launch::NewFile& file);

  /// Declares a signal of 1 to 64 bits and returns its number. Dots in the name separate scopes. Declare the
  /// signals of one scope one after the other.
  std::size_t add(const std::string& name, int width);
  /// Returns a number for a signal that is not in the file.
  std::size_t add_unwritten();
  std::size_t count() const { return signals_.size(); }
  /// Writes the declarations, after all signals have been added. `timescale` is in VCD's spelling ("1 ps").
  void declare(const std::string& timescale);
  /// Sets the first time of the dump. A signal is unknown (x) until its first value.
  void begin(std::uint64_t time);
  /// Sets the time of the following values. Times never decrease.
  void at(std::uint64_t time);
  /// Returns a buffer with space for one value of each signal, for writing lines directly. Pass the end of
  /// the lines to end_lines() before any other call of the writer.
  Lines begin_lines();
  void end_lines(const Lines& lines) { next_ = lines.end_; }
  void set(std::size_t signal, Level level);
  /// Returns true if the signal has had at least two values.
  bool toggled(std::size_t signal) const { return signals_[signal].lines >= 2; }
  /// Writes the last time of the dump. Throws Error if the file could not be written.
  void end(std::uint64_t time);

 private:
  struct Declaration {
    std::string name;
    int width;
    std::size_t signal;
  };
  // Each of these functions writes a line at `at` and returns the end of the line.
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
  void pass(std::uint64_t step);  ///< advances the decimal digits of the time by `step`
  void set_digits();              ///< computes the decimal digits of the time from time_
  void make_room();
  void flush();

  launch::NewFile* file_;
  std::vector<char> text_;  ///< text that is buffered and not yet written to the file
  char* next_ = nullptr;    ///< end of the buffered text, where the next line begins
  char* time_from_ = nullptr;
  /// End of the last time in the buffer; equal to next_ if no change follows that time.
  char* time_to_ = nullptr;
  std::vector<Signal> signals_;
  std::vector<Declaration> declarations_;
  std::uint64_t time_ = 0;  ///< time of the dump to which the following values belong
  std::uint64_t low_ =
      0;              ///< lowest eight digits of the time, one per byte, the last digit in the lowest byte
  std::string high_;  ///< decimal digits of the time above the lowest eight
  /// Last step of the time below 10^8, with its decimal digits in the form of low_.
  std::uint64_t step_ = 0, step_digits_ = 0;
};

}  // namespace heddle::output

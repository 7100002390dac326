#pragma once

// Writes a value change dump (IEEE 1364-2005, clause 18): signals are declared first, then values change in
// order of time. Nothing in the file depends on the host or on the time of day.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/run/new_file.h"

namespace heddle::output {

/// A signal's value; a signal that has none is shown as high impedance.
struct Level {
  std::uint64_t bits = 0;
  bool driven = false;

  static Level of(std::uint64_t bits) { return {bits, true}; }
  static Level none() { return {}; }
  friend bool operator==(const Level&, const Level&) = default;
};

class VcdWriter {
  struct Signal;

 public:
  /// Signals that were added one after the other.
  class Signals {
   public:
    /// The value of one, by its place among them; nothing is written while it stays.
    void set(std::size_t signal, Level level) const {
      if (first_[signal].level != level) file_->change(first_[signal], level);
    }
    /// From here on those from that number on.
    void begin_at(std::size_t signal) { first_ = all_ + signal; }

   private:
    friend class VcdWriter;
    explicit Signals(VcdWriter& file) : file_(&file), all_(file.signals_.data()), first_(all_) {}
    VcdWriter* file_;
    Signal *all_, *first_;
  };

  /// The file outlives the writer, and takes its place when its owner says so.
  explicit VcdWriter(run::NewFile& file);

  /// Declares a signal of 1 to 64 bits and returns its number, the next one. The dots of the name are scopes;
  /// signals of one scope are declared one after the other.
  std::size_t add(const std::string& name, int width);
  /// A number whose values are not in the file.
  std::size_t add_unwritten();
  /// Writes the declarations. `timescale` as VCD spells it ("1 ps"). Until its first value, a signal is
  /// unknown.
  void begin(const std::string& timescale, std::uint64_t time);
  /// The time of what is set from here on; it never decreases.
  void at(std::uint64_t time);
  /// All of them. Valid until one is added.
  Signals signals() { return Signals(*this); }
  void set(std::size_t signal, Level level) { signals().set(signal, level); }
  /// Has had at least two values.
  bool toggled(std::size_t signal) const { return signals_[signal].had & 2; }
  /// The last time of the dump. Throws Error if the file could not be written.
  void end(std::uint64_t time);

 private:
  /// Unlike every level that is set: the first one is a change.
  static constexpr Level kNoLevel{~std::uint64_t{0}, false};
  struct Signal {
    Level level = kNoLevel;
    std::array<char, 8> ending{};  ///< of a line: a space, the id, the line's end
    std::uint8_t ending_size = 0;  ///< 0: not in the file
    bool one_bit = false;
    std::uint8_t had = 0;  ///< bit 0: a value, bit 1: at least two
  };
  struct Declaration {
    std::string name;
    int width;
    std::size_t signal;
  };
  void declare(const std::string& timescale);
  void change(Signal& signal, Level level);
  /// The same of the first one at a time, or where the text has no room.
  void change_after_time(Signal& signal, Level level);
  // Each puts it at `at`.
  void put_bit(const Signal& signal, char* at, char state);
  void put(const Signal& signal, char* at, char state);
  void end_line(const Signal& signal, char* at);
  void put_time();
  void pass(std::uint64_t time);  ///< put_ and its digits
  void set_digits();              ///< the same, without what passed
  char* room_end();               ///< before it, a time and a value may begin
  void make_room();
  void flush();

  run::NewFile* file_;
  std::vector<char> text_;      ///< not yet in the file
  char* next_;                  ///< after what it holds
  char* room_until_ = nullptr;  ///< a line may begin before it: nowhere while the time is not in the file
  std::vector<Signal> signals_;
  std::vector<Declaration> declarations_;
  std::uint64_t time_ = 0;  ///< of what is set
  std::uint64_t put_ = 0;   ///< the last time in the file
  std::uint64_t low_ = 0;   ///< its lowest eight digits, one a byte, the last one in the lowest
  std::string high_;        ///< those above
  std::uint64_t step_ = 0, step_digits_ = 0;  ///< the last one of less than 10^8, and its digits as in low_
};

}  // namespace heddle::output

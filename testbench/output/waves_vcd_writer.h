#pragma once

// Writes a value change dump (IEEE 1364-2005, clause 18): signals are declared first, then values change in
// order of time. Nothing in the file depends on the host or on the time of day.

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "testbench/run/new_file.h"

namespace heddle::output {

/// A signal's value; a signal that has none is shown as high impedance.
struct Level {
  std::uint64_t bits = 0;
  std::uint64_t driven = 0;  ///< or 1

  static Level of(std::uint64_t bits) { return {bits, 1}; }
  static Level none() { return {}; }
  friend bool operator==(const Level&, const Level&) = default;
};

class VcdWriter {
 public:
  /// Throws Error if the file cannot be written. It takes its place at the end.
  explicit VcdWriter(const std::string& path);

  /// Declares a signal of 1 to 64 bits and returns its number. The dots of the name are scopes; signals of
  /// one scope are declared one after the other.
  std::size_t add(const std::string& name, int width);
  /// Writes the declarations. `timescale` as VCD spells it ("1 ps"). Until its first change, a signal is
  /// unknown.
  void begin(const std::string& timescale, std::uint64_t time);
  /// A new value from `time` on; `time` never decreases.
  void change(std::uint64_t time, std::size_t signal, Level level);
  /// The last time of the dump. Throws Error if the file could not be written.
  void end(std::uint64_t time);

 private:
  struct Signal {
    std::string name, id;
    int width = 1;
    std::array<char, 8> ending{};  ///< of a line: a space, the id, the line's end
    std::size_t ending_size = 0;
  };
  void declare(const std::string& timescale);
  void advance(std::uint64_t time);
  void put(const Signal& signal, char state);
  void put(const Signal& signal, Level level);
  char* line();  ///< room for one
  void flush();

  run::NewFile place_;
  std::ofstream file_;
  std::vector<char> text_;  ///< not yet in the file
  std::size_t used_ = 0;    ///< of it
  std::vector<Signal> signals_;
  std::uint64_t time_ = 0;
};

}  // namespace heddle::output

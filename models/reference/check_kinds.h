#pragma once

// The kinds of checks of a reference run, and the grammar of --check: auto, on, off, or kinds joined by commas.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::reference {

enum class CheckKind : std::uint8_t { memory, init, races, sync, atomics, warps };
inline constexpr std::array<const char*, 6> kCheckKinds{"memory", "init",    "races",
                                                        "sync",   "atomics", "warps"};

class CheckKinds {
 public:
  bool has(CheckKind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1u) != 0; }
  bool any() const { return bits_ != 0; }
  void add(CheckKind kind) { bits_ |= 1u << static_cast<unsigned>(kind); }
  std::vector<std::string> names() const;
  static CheckKinds all() {
    CheckKinds kinds;
    kinds.bits_ = (1u << kCheckKinds.size()) - 1;
    return kinds;
  }

 private:
  std::uint32_t bits_ = 0;
};

/// Returns the kinds of checks in `text`: names joined by commas, or `strict` for all kinds. A word of
/// `words`, such as "off", must stand alone and selects no kind. Throws Error at `where` for any other text.
CheckKinds read_check_kinds(const std::string& where, const std::string& text,
                            const std::vector<std::string>& words);

}  // namespace heddle::reference

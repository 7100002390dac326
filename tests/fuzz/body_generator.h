#pragma once

// Writes the body of one random kernel or function: initialised variables of every type, and statements that
// use them. The programs have no races. A thread writes global memory only in its own slots, or by
// commutative atomics. The program does not use the results of these atomics. Threads exchange values in
// shared memory only between barriers that all warps reach.

#include <array>
#include <string>
#include <vector>

#include "tests/fuzz/program_generator.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

inline constexpr int kSlots = 40;
inline constexpr int kOwnBytes = 64;
inline constexpr int kInBytes = 4096;  ///< size of the random input buffer `in` in bytes
/// size in bytes of a region of the buffer `common`; each commutative atomic operation has one region
inline constexpr int kRegionBytes = 64;
inline constexpr int kLocalBytes = 64;
inline constexpr int kTableBytes = 256;
inline constexpr int kHistogramBytes = 64;

/// In a PTX text, replaces "~64" by the width of pointers, and the suffix "~wide" of a multiplication by
/// "wide" or "lo".
std::string with_pointers_of(int bits, const std::string& text);

struct FunctionShape {
  std::string name;
};

class BodyGenerator {
 public:
  struct Setting {
    bool kernel = true;
    int address_bits = 64;
    int threads_per_cta = 32;
    int threads = 32;
    bool dynamic_shared = false;
    int budget = 300;
    std::vector<FunctionShape> functions;
    std::string own_name;
    std::uint64_t call_seed =
        /// Seed for recursion and for calls through registers. The seed is separate so that these calls do
        /// not change other random choices.
        0;
  };
  BodyGenerator(Dice& dice, Setting setting);

  /// Writes a kernel: declarations, initial values, statements, and stores of all variables. `note(i)`
  /// describes line i of the text.
  void write_kernel();
  /// Writes a function with the signature "(.param .b32 r) f(.param .b32 a, .param .b64 b, .param .align 8
  /// .b8 s[16])".
  void write_function();

  const std::string& text() const { return text_; }
  const std::vector<LineNote>& notes() const { return notes_; }
  std::string declarations() const;

 private:
  void line(const std::string& text);
  std::string label() { return "$L" + std::to_string(labels_++); }
  std::string loop_counter() { return "%c" + std::to_string(counters_++); }

  std::string variable(char kind);
  std::string operand(char kind);
  std::string constant(char kind);
  std::string predicate() { return variable('p'); }
  std::string guard(int percent = 20);
  /// Returns neighbouring variables as a PTX vector, for example "{%w3, %w4}".
  std::string run_of(char kind, int count);
  int pool(char kind) const;
  std::string expand(const char* alternatives);
  int slot_offset();

  void catalogue();
  void keep(char kind, const std::string& name);
  void convert();
  void pack();
  void carry_chain();
  void special_register();

  void memory();
  void load_input();
  void load_table();
  void look_up();
  void load_parameter();
  void own_access();
  void out_store();
  void shared_access();
  void local_access();
  void own_atomic();
  void common_atomic();
  void fence();
  void address_space();

  void across_lanes();
  std::string member_mask();

  void statement(int depth);
  void simple_statement();
  void block(int depth, int statements);
  void branch(int depth);
  void loop(int depth);
  void jump_table(int depth);
  void jump_out();
  void call();
  void call_with(const std::string& callee, const std::string& list, const std::string& only,
                 const std::string& first, const std::string& result);
  std::string take_address();
  void call_itself();
  void top_level();
  void uniform_loop();
  void exchange();
  void exchange_shared();
  void exchange_global();
  void histogram();
  void barrier_reduction();
  void arrive_and_sync();
  void barrier();
  void leave_early();

  void start_values_from_input();
  void start_values_from(const std::string& word, const std::string& pair);
  void set_up_addresses();
  void store_everything();

  Dice& dice_;
  Setting setting_;
  Dice calls_;
  std::string text_;
  std::vector<LineNote> notes_;
  LineNote note_;
  std::array<int, 6> pools_{};
  int labels_ = 0, counters_ = 0, slots_ = 0;
  double cost_ = 0;
  double repetition_ = 1;
  bool may_exit_ = false;             ///< no barrier follows, so threads may exit
  std::vector<std::string> forward_;  ///< labels after the enclosing statements, to which branches may jump
};

}  // namespace heddle::fuzz

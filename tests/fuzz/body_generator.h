#pragma once

// Writes the body of one kernel or function: pools of initialised variables of every type, and statements
// over them.
//
// Programs are free of races. Threads write global memory only in their own slots, or by commutative atomics
// whose result is unused. Shared memory is exchanged only between barriers, which all warps reach at the
// outermost level.

#include <array>
#include <string>
#include <vector>

#include "tests/fuzz/program_generator.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {

inline constexpr int kSlots = 40;           ///< 16-byte slots of a thread in `out`
inline constexpr int kOwnBytes = 64;        ///< bytes of a thread in `own`
inline constexpr int kInBytes = 4096;       ///< random input
inline constexpr int kRegionBytes = 64;     ///< bytes in `common` for each commutative atomic
inline constexpr int kLocalBytes = 64;      ///< of the local array
inline constexpr int kTableBytes = 256;     ///< of the tables in .const and .global
inline constexpr int kHistogramBytes = 64;  ///< of the shared one

/// Adapts PTX to pointers of 64 or 32 bits: "~64" becomes the width, "~wide" of a multiplication becomes
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
    int threads = 32;  ///< threads of the grid
    bool dynamic_shared = false;
    int budget = 300;                      ///< estimated warp-instructions of one warp
    std::vector<FunctionShape> functions;  ///< functions that may be called
    std::string own_name;                  ///< name, if this is a function
    std::uint64_t call_seed =
        0;  ///< seed for calls through registers and recursion, which do not change other choices
  };
  BodyGenerator(Dice& dice, Setting setting);

  /// Writes a kernel: declarations, initial values, statements, stores of all variables. `note(i)` describes
  /// line i.
  void write_kernel();
  /// Writes a function "(.param .b32 r) f(.param .b32 a, .param .b64 b, .param .align 8 .b8 s[16])".
  void write_function();

  const std::string& text() const { return text_; }
  const std::vector<LineNote>& notes() const { return notes_; }
  /// Returns the declarations that must precede text().
  std::string declarations() const;

 private:
  // Text.
  void line(const std::string& text);
  std::string label() { return "$L" + std::to_string(labels_++); }
  std::string loop_counter() { return "%c" + std::to_string(counters_++); }

  // Operands.
  std::string variable(char kind);
  std::string operand(char kind);  ///< a variable or a constant
  std::string constant(char kind);
  std::string predicate() { return variable('p'); }
  std::string guard(int percent = 20);
  std::string run_of(char kind, int count);  ///< neighbouring variables, "{%w3, %w4}"
  int pool(char kind) const;
  std::string expand(const char* alternatives);
  int slot_offset();

  // Straight-line statements.
  void catalogue();
  void keep(char kind, const std::string& name);
  void convert();
  void pack();
  void carry_chain();
  void special_register();

  // Memory.
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

  // Across lanes.
  void across_lanes();
  std::string member_mask();

  // Control.
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

  // Begin and end.
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
  std::array<int, 6> pools_{};  ///< number of variables of each kind: h w d f g p
  int labels_ = 0, counters_ = 0, slots_ = 0;
  double cost_ = 0;                   ///< estimated warp-instructions so far
  double repetition_ = 1;             ///< product of the rounds of enclosing loops
  bool may_exit_ = false;             ///< true if no barrier follows
  std::vector<std::string> forward_;  ///< labels after the enclosing statements
};

}  // namespace heddle::fuzz

#pragma once

// Lowers the statements of one function instance to machine instructions. The parts stand in
// operand_lowering.cpp, instruction_lowering.cpp, control_lowering.cpp, call_lowering.cpp and
// kernel_lowering.cpp.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/call_stack.h"
#include "models/ptx/frame.h"
#include "models/ptx/module_data.h"
#include "models/ptx/program_builder.h"

namespace heddle::ptx {

/// Functions of the CUDA run time that are lowered here (runtime_calls.cpp).
bool is_assertion(std::string_view name);
bool is_printf(std::string_view name);

/// What ends a kernel besides: a call through a pointer to nothing, a stack that is full.
std::string wrong_pointer_text(std::size_t candidates);
std::string full_stack_text(std::uint32_t stack_bytes, const Function& callee);

/// What all function instances of one kernel share.
struct KernelContext {
  KernelContext(const ModuleData& m, std::uint32_t stack_bytes, bool keeps)
      : module(m), builder(m.source), frames(stack_bytes, keeps), keeps_calls(keeps) {}

  const Body& body_of(const Function& function);
  /// Static shared, dynamic shared and module-level local variables: one place for the whole kernel.
  StorageId storage_of(const Variable& variable);
  int frame_of(const Function& function, int site);

  const ModuleData& module;
  ProgramBuilder builder;
  isa::Program program;
  std::map<const Function*, Body> bodies;
  std::map<const Variable*, StorageId> storages;
  std::vector<const Function*> stack;  ///< functions being inlined, the kernel first
  std::size_t calls = 0;               ///< inlined so far
  CallStack frames;
  const bool keeps_calls;
  std::set<const Function*> framed;                     ///< functions that have frames
  std::optional<std::set<const Function*>> pointed_at;  ///< functions whose address the module takes
};

/// A formal parameter or result bound by the caller.
struct Binding {
  const Variable* formal = nullptr;
  Symbol symbol;
};

class FunctionLowering {
 public:
  /// `owner`: the frame that local variables lie in; kNone: none.
  FunctionLowering(KernelContext& context, const Function& function, std::string prefix,
                   std::uint64_t local_base, int owner);

  void bind(const Binding& binding);
  /// Lowers all statements. `ret` ends the thread in a kernel and goes to the end of the body in a function.
  void run();
  /// A function that has a frame: its body, and after all bodies its returns.
  void run_in_frame();
  void return_from_frame();

 private:
  // Statements.
  void statement(const Statement& s);
  void declaration(const Variable& v);
  void location(const Statement& s);
  void instruction(const Statement& s);
  void custom(const Statement& s, Item item);
  void call(const Statement& s);
  std::string prefix_of(const Function& f) const;

  // Operands.
  struct SlotType {
    isa::DataType type = isa::DataType::none;
    bool wider = false;
  };
  SlotType slot_type(const Slot& slot, const isa::Instruction& i) const;
  void operands(const Statement& s, const CompiledForm& form, bool has_hint, Item& item);
  void slot(const Statement& s, const Slot& slot, const OperandSyntax& o, Item& item);
  void address_operand(const Statement& s, const OperandSyntax& o, Item& item);
  void vector_operands(const Statement& s, const OperandSyntax& o, bool destination, Item& item);
  void check_memory_space(const OperandSyntax& o, const Symbol& symbol, Item& item) const;
  isa::Operand destination(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand source(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand predicate(const OperandSyntax& o, bool is_destination);
  isa::Operand register_operand(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand special_operand(const OperandSyntax& o, int bits);
  isa::Operand immediate(const Statement& s, const OperandSyntax& o, isa::DataType type) const;
  isa::Guard guard(const GuardSyntax& g);
  /// The register that a name with or without component means; nullptr if it is none.
  const isa::Operand* find_register(const OperandSyntax& o);
  /// The variable (of the function or the module) that a name means; throws Error if there is none.
  Symbol variable(const OperandSyntax& o);
  bool names_variable(const OperandSyntax& o);

  // Instructions with operands of their own kind.
  void move(const Statement& s, Item item);
  void pack(const Statement& s, Item item);
  void unpack(const Statement& s, Item item);
  void move_address(const OperandSyntax& o, Item& item);
  void create_policy(const Statement& s, Item item);
  void convert_address(const Statement& s, Item item);
  // Textures and surfaces.
  void look_up(const Statement& s, Item item);
  void query(const Statement& s, Item item);
  void test_opaque_type(const Statement& s, Item item);
  void access_surface(const Statement& s, Item item);
  void trap_outside(const Statement& s, const isa::Guard& guard, const isa::Operand& inside);
  const OperandSyntax& opaque_operand(const Statement& s, std::size_t number, std::size_t items) const;
  isa::Operand handle(const Statement& s, const OperandSyntax& o);
  std::vector<isa::Operand> coordinates(const Statement& s, const OperandSyntax& o, bool layer,
                                        std::size_t count, isa::DataType type);
  std::vector<isa::Operand> load_header(const Statement& s, const isa::Operand& handle,
                                        const isa::Guard& guard, isa::DataType type, std::size_t at,
                                        std::size_t count);
  isa::Operand emit_compare(const Statement& s, isa::Compare compare, isa::DataType type,
                            const isa::Operand& a, const isa::Operand& b, const isa::Operand* also);
  /// Byte address of the access that `s` makes; `inside` (none for .clamp): whether it lies in the surface.
  isa::Operand surface_address(const Statement& s, const isa::Instruction& i, isa::Operand& inside);
  void branch(const Statement& s, const isa::Instruction& i);
  void indexed_branch(const Statement& s, const isa::Instruction& i);
  void leave(const Statement& s, Item item);
  LabelId label(const OperandSyntax& o, int block) const;

  // Calls.
  const Function& callee(const Statement& s);
  void refuse_external(const Statement& s, const Function& f) const;
  Binding bind_argument(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  Binding bind_result(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  void fetch_result(const Statement& s, const Binding& binding, const OperandSyntax& actual);
  Symbol call_parameter(const Variable& v, const std::string& name);
  const Symbol* bound_block(const OperandSyntax& actual);
  void emit_block_access(const Statement& s, isa::Opcode op, isa::DataType type, const Symbol& block,
                         const isa::Operand& value, std::uint64_t at = 0);
  void enter(const Statement& s, const Function& f);
  void check_call(const Statement& s, const Function& f) const;
  // Calls through registers and of functions with frames.
  void indirect_call(const Statement& s);
  void stacked_call(const Statement& s, const Function& f);
  void kept_call(const Statement& s, const std::vector<const Function*>& candidates,
                 const isa::Operand& address);
  void pass_argument(const Statement& s, const Variable& formal, std::uint64_t place,
                     const OperandSyntax& actual);
  void take_result(const Statement& s, const Variable& formal, std::uint64_t place,
                   const OperandSyntax& actual);
  void frame_access(const Statement& s, isa::Opcode op, isa::DataType type, bool of_callee,
                    std::uint64_t place, const isa::Operand& value);
  void check_depth(const Statement& s, int callee);
  void move_frame(const Statement& s, isa::Opcode op, LabelId returns);
  void bind_frame(const Statement& s);
  isa::Operand frame_address(const OperandSyntax& o, const Symbol& symbol, int bits);
  isa::RuntimeCall failure_at(const Statement& s, std::string text) const;
  void fail_at_run_time(const Statement& s, std::string text, const isa::Operand* when);
  // assert and printf.
  void runtime_call(const Statement& s, const Function& f);
  void print(const Statement& s, const Function& f);
  std::optional<std::uint64_t> constant_argument(const Statement& s, const OperandSyntax& actual,
                                                 isa::DataType type);
  std::optional<std::string> string_argument(const Statement& s, const OperandSyntax& actual);
  isa::Operand emit_value(const Statement& s, Item item, int bits);
  isa::Operand emit_mad(const Statement& s, const isa::Operand& a, std::uint64_t b, const isa::Operand& c);
  isa::Operand emit_address(const Statement& s, std::uint64_t base, const isa::Operand& offset);
  void emit_copy(const Statement& s, const Variable& formal, const isa::Operand& to,
                 const isa::Operand& from);

  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const {
    context_.module.source.fail(p, what, allowed);
  }
  bool is_kernel() const { return function_.is_entry; }
  void emit(const Statement& s, Item item);

  KernelContext& context_;
  const Function& function_;
  const Body& body_;
  Frame frame_;
  LabelId end_ = kNone;
  int owner_ = kNone;
  Position site_;  ///< of a function of the run time: the call, where its instructions are said to stand
};

/// What stands around a function of calls that are kept (models/isa/kept_calls.h): the place of the instruction that tells of it, whose
/// registers are known at the end.
std::size_t begin_kept_function(KernelContext& context, const Function& f, int number);
void end_kept_function(KernelContext& context, std::size_t begin);

/// The functions with frames that calls so far need, and those that these need.
void lower_stacked_functions(KernelContext& context);

}  // namespace heddle::ptx

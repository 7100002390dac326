// Translates a PTX kernel to a program, from the kernel's header to the finished instructions.

#include <algorithm>
#include <charconv>
#include <string_view>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/kept_calls.h"
#include "models/ptx/call_graph.h"
#include "models/ptx/lowering.h"
#include "models/ptx/module.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kMostFiles = 1 << 16;
constexpr std::uint64_t kMostParameterBytes = 32764;  // limit in bytes of all kernel parameters (PTX ISA 8.1)

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

/// Returns the number of a PTX target: 75 for "sm_75, debug", 0 if the text names no sm target.
std::uint32_t target_number(std::string_view target) {
  constexpr std::string_view kMachine = "sm_";
  std::uint32_t number = 0;
  if (const std::size_t at = target.find(kMachine); at != std::string_view::npos) {
    const char* const digits = target.data() + at + kMachine.size();
    std::from_chars(digits, target.data() + target.size(), number);
  }
  return number;
}

void read_header(const Function& f, Program& program) {
  std::uint64_t most = 1, required = 1;
  for (int i = 0; i < 3; ++i) {
    most *= f.max_threads[i];
    required *= f.required_threads[i];
    program.required_threads[i] = f.required_threads[i];
  }
  program.max_threads =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(most ? most : required, 0xffff'ffffu));
}

void lay_out_parameters(const Source& source, const Function& f, Program& program) {
  std::uint64_t end = 0;
  for (const Variable& v : f.parameters) {
    if (v.refusal) source.fail(*v.refusal);
    if (v.space != StateSpace::param) source.fail(v.position, "a kernel's parameters must be in .param");
    if (v.is_unsized() || v.range || v.type == DataType::pred)
      source.fail(v.position, "bad kernel parameter");
    end = align_up(end, v.alignment());
    if (end + v.bytes() > kMostParameterBytes)
      source.fail(v.position,
                  "the parameters of the kernel exceed " + std::to_string(kMostParameterBytes) + " bytes");
    KernelParameter parameter;
    parameter.name = v.name;
    parameter.offset = static_cast<std::uint32_t>(end);
    parameter.bytes = static_cast<std::uint32_t>(v.bytes());
    parameter.align = static_cast<std::uint32_t>(v.alignment());
    parameter.type = v.type;
    parameter.shared_pointer = v.shared_pointer;
    program.parameters.push_back(std::move(parameter));
    end += v.bytes();
  }
  program.parameter_bytes = static_cast<std::uint32_t>(end);
}

std::uint64_t grid_workspace(const ModuleData& module, const Program& program) {
  bool reads_index[2] = {false, false};
  for (const Instruction& i : program.code)
    for (const Operand& o : i.sources())
      if (o.kind == Operand::Kind::special && o.special == SpecialRegister::envreg &&
          (o.index == 1 || o.index == 2))
        reads_index[o.index - 1] = true;
  const auto it = std::find_if(module.variables.begin(), module.variables.end(),
                               [](const ModuleVariable& v) { return v.name == kGridWorkspace; });
  return reads_index[0] && reads_index[1] && it != module.variables.end() ? it->address : 0;
}

void begin_stack(KernelContext& context) {
  context.frames.pointer = context.builder.new_register(32, kFrameName);
  context.frames.word = context.builder.new_register(32, "frame.word");
  Item item;
  item.instruction.op = Opcode::mov;
  item.instruction.type = item.instruction.source_type = DataType::u32;
  item.instruction.add_dst(context.frames.pointer);
  item.instruction.add_src(Operand::make_immediate(0, 32));
  item.stack = Item::Stack::begin;
  context.builder.emit(item);
}

}  // namespace

const Body& KernelContext::body_of(const Function& function) {
  const auto it = bodies.find(&function);
  if (it != bodies.end()) return it->second;
  Body body = parse_body(module.source, module.tokens, function.body, module.syntax.dialect);
  if (!function.is_closed)
    module.source.fail(function.position,
                       "the body of " + std::string(function.name) + " is never closed by \"}\"");
  return bodies.emplace(&function, std::move(body)).first->second;
}

StorageId KernelContext::storage_of(const Variable& v) {
  const auto it = storages.find(&v);
  if (it != storages.end()) return it->second;
  if (v.refusal) module.source.fail(*v.refusal);
  if (v.type == DataType::pred) module.source.fail(v.position, "predicates cannot lie in memory");
  Storage storage;
  storage.name = v.name;
  storage.kind = v.space == StateSpace::local ? Storage::Kind::local
                 : v.is_extern                ? Storage::Kind::dynamic_shared
                                              : Storage::Kind::shared;
  if (v.is_unsized() && storage.kind != Storage::Kind::dynamic_shared)
    module.source.fail(v.position, "variable \"" + std::string(v.name) + "\" has no size");
  storage.bytes = v.is_unsized() ? 0 : v.bytes();
  storage.align = v.alignment();
  storage.order = (std::uint64_t{v.position.line} << 32) | v.position.column;
  storage.position = v.position;
  return storages.emplace(&v, builder.add_storage(std::move(storage))).first->second;
}

FunctionLowering::FunctionLowering(KernelContext& context, const Function& function, std::string prefix,
                                   std::uint64_t local_base, int owner, Position site)
    : scope_(context, function, std::move(prefix), local_base, owner, site),
      operands_(scope_),
      places_(scope_),
      declarations_(scope_, places_),
      branches_(scope_, operands_),
      moves_(scope_, operands_),
      expansions_(scope_, operands_),
      textures_(scope_, operands_, places_),
      copies_(scope_, operands_),
      matrices_(scope_, operands_),
      fragments_(scope_, operands_, matrices_),
      calls_(scope_, operands_, places_) {}

void FunctionLowering::bind(const Binding& binding) {
  if (binding.formal->name == "_") return;
  scope_.frame.declare(*binding.formal, binding.symbol);
}

void FunctionLowering::run() {
  end_ = scope_.context.builder.new_label({});
  for (const Statement& s : scope_.body.statements) statement(s);
  scope_.context.builder.bind(end_);
}

void FunctionLowering::statement(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::instruction:
      return instruction(s);
    case Statement::Kind::call:
      return calls_.call(s);
    case Statement::Kind::label:
      return scope_.context.builder.bind(scope_.frame.find_label(s.name, s.block));
    case Statement::Kind::declaration:
      return declarations_.declare(s.variable);
    case Statement::Kind::open:
      return scope_.frame.push();
    case Statement::Kind::close:
      return scope_.frame.pop();
    case Statement::Kind::location:
      return location(s);
    case Statement::Kind::targets:
    case Statement::Kind::prototype:
      return;
  }
}

void FunctionLowering::location(const Statement& s) {
  SourceLocation place;
  place.file = s.source_file < scope_.context.program.files.size() ? s.source_file : 0;
  place.line = s.source_line;
  scope_.context.builder.set_location(place);
}

namespace {

Program lower(const Module& module, const std::string& mangled_name, std::uint32_t stack_bytes,
              bool keeps_calls, bool notes) {
  const ModuleData& data = module.data();
  const auto found = data.syntax.function_by_name.find(mangled_name);
  if (found == data.syntax.function_by_name.end() || !data.syntax.functions[found->second].is_entry ||
      !data.syntax.functions[found->second].has_body)
    throw Error(data.source.file, "no kernel \"" + mangled_name + "\"");
  const Function& f = data.syntax.functions[found->second];
  if (f.refusal) data.source.fail(*f.refusal);

  const bool may_keep = keeps_calls && data.syntax.registers.empty();
  KernelContext context(data, stack_bytes, may_keep, notes);
  Program& program = context.program;
  program.kernel = mangled_name;
  program.file = data.source.file;
  program.sm = target_number(data.syntax.target);
  for (const auto& [number, name] : data.syntax.files) {
    if (number >= kMostFiles) continue;
    program.files.resize(std::max<std::size_t>(program.files.size(), number + 1));
    program.files[number] = name;
  }
  read_header(f, program);
  lay_out_parameters(data.source, f, program);

  context.stack.push_back(&f);
  const bool keeps = context.keeps_calls;
  context.framed = keeps ? called_functions(context, f) : recursive_functions(context, f);
  if (keeps && context.framed.empty()) return lower(module, mangled_name, stack_bytes, false, notes);
  if (!context.framed.empty() && !data.syntax.registers.empty())
    data.source.refuse(data.syntax.registers.front().position,
                       "registers of the module in functions that may call themselves", mangled_name);
  if (!context.framed.empty()) begin_stack(context);
  FunctionLowering lowering(context, f, {}, 0, kNone);
  for (std::size_t p = 0; p < f.parameters.size(); ++p) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::kernel_parameter;
    symbol.space = Space::param;
    symbol.address = kParamWindow + program.parameters[p].offset;
    symbol.bytes = program.parameters[p].bytes;
    lowering.bind({&f.parameters[p], symbol});
  }
  lowering.run();
  Item end;
  end.instruction.op = Opcode::exit;
  context.builder.set_location({});
  context.builder.emit(end);
  lower_stacked_functions(context);
  context.builder.finish(program, context.frames);
  program.grid_workspace = grid_workspace(data, program);
  if (program.code.size() > 1 && !context.frames.used()) {
    const Instruction& before = program.code[program.code.size() - 2];
    const bool ends = (before.op == Opcode::exit || (before.op == Opcode::bra)) && !before.guard.present;
    const auto last = static_cast<std::int32_t>(program.code.size()) - 1;
    const bool reached = std::any_of(program.code.begin(), program.code.end(),
                                     [last](const Instruction& i) { return i.target == last; });
    if (ends && !reached) {
      program.code.pop_back();
      program.labels.pop_back();
    }
  }
  return std::move(program);
}

}  // namespace

Program lower_kernel(const Module& module, const std::string& mangled_name, std::uint32_t stack_bytes,
                     Calls calls) {
  return lower(module, mangled_name, stack_bytes, calls == Calls::kept, calls == Calls::kept);
}

}  // namespace heddle::ptx

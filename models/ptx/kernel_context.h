#pragma once

// State of the translation of one kernel. All functions of the kernel share it.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/call_stack.h"
#include "models/ptx/frame.h"
#include "models/ptx/module_data.h"
#include "models/ptx/program_builder.h"

namespace heddle::ptx {

struct KernelContext {
  KernelContext(const ModuleData& m, std::uint32_t stack_bytes, bool keeps, bool has_notes)
      : module(m),
        builder(m.source),
        registers(m.source, builder, no_body, {}, 0),
        frames(stack_bytes, keeps),
        keeps_calls(keeps),
        notes(has_notes) {
    for (const Variable& v : m.syntax.registers) registers.declare_register(v);
  }

  const Body& body_of(const Function& function);
  StorageId storage_of(const Variable& variable);
  int frame_of(const Function& function, int site);

  const ModuleData& module;
  ProgramBuilder builder;
  const Body no_body;
  /// Registers that the module declares outside functions.
  Frame registers;
  isa::Program program;
  std::map<const Function*, Body> bodies;
  std::map<const Variable*, StorageId> storages;
  std::vector<const Function*> stack;
  std::size_t calls = 0;
  CallStack frames;
  const bool keeps_calls;
  const bool notes;
  std::set<const Function*> framed;
  std::optional<std::set<const Function*>> pointed_at;
};

}  // namespace heddle::ptx

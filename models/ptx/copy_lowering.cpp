#include "models/ptx/copy_lowering.h"

#include "models/isa/async_copy.h"

namespace heddle::ptx {

using namespace isa;

void CopyLowering::lower(const Statement& s, const Item& item) {
  switch (item.instruction.op) {
    case Opcode::copy:
      return copy(s, item);
    case Opcode::wait_group:
      return wait(s, item);
    default:
      return mbarriers_.lower(s, item);
  }
}

std::uint64_t CopyLowering::constant(const Statement& s, const OperandSyntax& o, const char* what,
                                     const char* allowed) const {
  if (o.kind != OperandSyntax::Kind::constant || o.constant.kind != ConstantValue::Kind::integer)
    scope_.fail(o.position, std::string(s.name) + " needs a constant as " + what, allowed);
  return o.constant.bits;
}

/// Translates the optional last operand of cp.async: the number of bytes to read, or a predicate. If the
/// predicate is true, the copy writes zeros only.
Operand CopyLowering::bytes_to_read(const Statement& s, const OperandSyntax& o, unsigned bytes) {
  const Operand* const found = o.kind == OperandSyntax::Kind::name ? scope_.find_register(o) : nullptr;
  if (found && found->is_pred()) {
    const Operand ignored = operands_.source(s, o, {DataType::pred, false});
    return scope_.emit_value(
        s,
        make_item(Opcode::selp, DataType::b32,
                  {Operand::make_immediate(0, 32), Operand::make_immediate(bytes, 32), ignored}),
        32);
  }
  if (o.kind == OperandSyntax::Kind::constant && constant(s, o, "source size", "") > bytes)
    scope_.fail(o.position,
                "the source size " + std::to_string(o.constant.bits) + " of " + std::string(s.name) +
                    ".async is larger than its copy size",
                "0.." + std::to_string(bytes));
  return operands_.source(s, o, {DataType::u32, false});
}

void CopyLowering::copy(const Statement& s, Item item) {
  const bool policy = has_word(s.match, "L2::cache_hint");
  const std::size_t least = policy ? 4 : 3;
  scope_.require_operands(s, "cp.async", least, least + 1);
  Instruction& i = item.instruction;
  const bool past_l1 = i.memory.cache == CacheOp::cg;
  const char* const sizes = past_l1 ? "16" : "4, 8, 16";
  const std::uint64_t bytes = constant(s, s.operands[2], "copy size", sizes);
  if (bytes != 16 && (past_l1 || (bytes != 4 && bytes != 8)))
    scope_.fail(s.operands[2].position,
                "cp.async." + std::string(past_l1 ? "cg" : "ca") + " of " + std::to_string(bytes) + " bytes",
                sizes);
  i.memory.element_bytes = static_cast<std::uint8_t>(bytes);
  Item target = item;
  target.instruction.memory.space = Space::shared;
  i.memory.space = Space::global;
  operands_.address_operand(s, s.operands[0], target);
  operands_.address_operand(s, s.operands[1], item);
  i.payload = static_cast<std::uint64_t>(target.instruction.memory.offset);
  if (target.storage != kNone) {
    item.storage = target.storage;
    item.storage_source = kCopyTarget;
  }
  i.add_src(target.instruction.src[0]);
  if (s.operands.size() > least) i.add_src(bytes_to_read(s, s.operands[3], static_cast<unsigned>(bytes)));
  if (policy) operands_.source(s, s.operands.back(), {DataType::b64, false});
  scope_.emit(s, item);
}

/// Translates cp.async.wait_group and cp.async.wait_all. cp.async.wait_all becomes cp.async.commit_group
/// followed by cp.async.wait_group 0.
void CopyLowering::wait(const Statement& s, Item item) {
  const bool all = has_word(s.match, "wait_all");
  scope_.require_operands(s, all ? "cp.async.wait_all" : "cp.async.wait_group", all ? 0 : 1, all ? 0 : 1);
  if (all) {
    Item commit = item;
    commit.instruction.op = Opcode::commit;
    scope_.emit(s, commit);
  }
  const std::uint64_t groups = all ? 0 : constant(s, s.operands[0], "number of groups", "0 or more");
  item.instruction.add_src(Operand::make_immediate(groups & 0xffff'ffffu, 32));
  scope_.emit(s, item);
}

}  // namespace heddle::ptx

#include "groups.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

/// Adds an entry with misaligned accesses. Every row is a launch that must end in an error. `operations`:
/// instructions that access `bytes` bytes at base + offset.
void add_misaligned(TableWriter& table, const std::string& space, const std::string& kind, int bytes,
                    const std::vector<std::string>& operations) {
  FormWriter form("misaligned." + space + "." + std::to_string(bytes) + "-bytes." + kind);
  form.error("misaligned").in("op", "imm").in("offset", "imm");
  form.declare(".reg .b16 %half;")
      .declare(".reg .b32 %w<4>;")
      .declare(".reg .b64 %base, %x<2>;")
      .declare(".reg .f32 %real;")
      .declare(".reg .f64 %double;");
  if (space == "global") {
    form.scratch(64).body("mov.u64 %base, %scratch;");
  } else {
    form.declare("." + space + " .align 16 .b8 $_area[64];").body("mov.u64 %base, $_area;");
  }
  const std::string vector = kind.substr(0, 2);
  std::string value = bytes == 2 ? "%half" : bytes == 4 ? "%w0" : "%x0";
  if (vector == "v2") value = bytes == 8 ? "{%w0, %w1}" : "{%x0, %x1}";
  if (vector == "v4") value = "{%w0, %w1, %w2, %w3}";
  const bool stores = kind.ends_with("store");
  const bool swaps = kind.ends_with("atomic");
  form.body(
      "mov.b16 %half, 1; mov.b32 %w0, 1; mov.b32 %w1, 2; mov.b32 %w2, 3; mov.b32 %w3, 4; mov.b64 %x0, 1; "
      "mov.b64 %x1, 2;");
  form.body(stores ? "{op} [%base+{offset}], " + value + ";"
                   : "{op} " + value + ", [%base+{offset}]" + (swaps ? ", " + value + ";" : ";"));
  for (const std::string& operation : operations) {
    for (int offset = 1; offset < bytes; offset += offset < 2 ? 1 : bytes / 4 + 1)
      form.row_text({operation, std::to_string(offset)}, {});
    if (bytes > 2) form.row_text({operation, std::to_string(16 + bytes / 2)}, {});
  }
  table.add(form);
}

void add_trap(TableWriter& table) {
  FormWriter form("trap");
  form.error("trap").covers("trap").in("p", "pred").body("@%p trap;");
  form.row({1}, {});
  table.add(form);
}

}  // namespace

void write_errors(const std::string& folder) {
  TableWriter table(folder, "errors", "Launches that must be refused with an error");
  for (const std::string space : {"global", "shared", "local"}) {
    const auto load = [&](const std::string& rest) { return "ld." + space + rest; };
    const auto store = [&](const std::string& rest) { return "st." + space + rest; };
    add_misaligned(table, space, "load", 2, {load(".u16"), load(".s16"), load(".b16")});
    add_misaligned(table, space, "load", 4, {load(".u32"), load(".b32"), load(".s32")});
    add_misaligned(table, space, "load", 8, {load(".u64"), load(".b64")});
    add_misaligned(table, space, "v2.load", 8, {load(".v2.u32")});
    add_misaligned(table, space, "v4.load", 16, {load(".v4.u32"), load(".v4.b32")});
    add_misaligned(table, space, "store", 2, {store(".u16")});
    add_misaligned(table, space, "store", 4, {store(".u32")});
    add_misaligned(table, space, "store", 8, {store(".u64")});
    add_misaligned(table, space, "v2.store", 16, {store(".v2.u64")});
    add_misaligned(table, space, "v4.store", 16, {store(".v4.u32")});
    if (space == "local") continue;
    add_misaligned(table, space, "atomic", 4, {"atom." + space + ".add.u32", "atom." + space + ".exch.b32"});
    add_misaligned(table, space, "atomic", 8, {"atom." + space + ".add.u64"});
  }
  add_trap(table);
}

}  // namespace heddle::semantics

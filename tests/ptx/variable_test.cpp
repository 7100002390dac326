// Tests variables of PTX modules: addresses, sizes and initial bytes; shared, local and dynamic shared memory
// of kernels.

#include <gtest/gtest.h>

#include <cstring>

#include "models/isa/address_map.h"
#include "models/ptx/module.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

std::shared_ptr<const Module> module_of(const std::string& text) {
  return parse_module(".version 7.5\n.target sm_75\n.address_size 64\n" + text, "t.ptx");
}

const isa::ModuleVariable* find(const Module& module, const std::string& name) {
  for (const auto& v : module.variables())
    if (v.name == name) return &v;
  return nullptr;
}

template <class T>
std::vector<T> contents(const Module& module, const std::string& name) {
  const isa::ModuleVariable* v = find(module, name);
  if (!v || v->initial.size() % sizeof(T) != 0) return {};
  std::vector<T> values(v->initial.size() / sizeof(T));
  std::memcpy(values.data(), v->initial.data(), v->initial.size());
  return values;
}

TEST(Variables, LieInTheirWindowsApartAndAligned) {
  const auto m = module_of(
      ".global .align 4 .u32 a;\n.visible .global .align 512 .b8 b[3];\n.const .f32 c[4];\n"
      ".extern .global .align 4 .u32 e[5];\n.extern .global .align 1 .b8 unsized[];\n");
  ASSERT_EQ(m->variables().size(), 4u);
  EXPECT_EQ(find(*m, "unsized"), nullptr);
  EXPECT_EQ(find(*m, "b")->address % 512, 0u);
  EXPECT_EQ(find(*m, "b")->bytes, 3u);
  EXPECT_EQ(find(*m, "e")->bytes, 20u);
  EXPECT_TRUE(find(*m, "e")->initial.empty());
  EXPECT_EQ(isa::window_of(find(*m, "c")->address), isa::Window::constant);
  EXPECT_EQ(find(*m, "c")->space, isa::Space::constant);
  for (std::size_t i = 1; i < m->variables().size(); ++i) {
    const auto& before = m->variables()[i - 1];
    EXPECT_GE(m->variables()[i].address, before.address + before.bytes + isa::kAllocationGap);
  }
}

TEST(Variables, Initialisers) {
  const auto m = module_of(
      ".const .u32 one = 7;\n"
      ".global .s16 list[] = {1, -2, 0x7fff};\n"
      ".global .f32 matrix[2][3] = {{1.0, 0f40000000}, {3.0, 4.0, -5.0}};\n"
      ".global .f64 doubles[] = {0d3FF0000000000000, 0f40000000};\n"
      ".global .v2 .u32 pairs[2] = {{1, 2}, {3, 4}};\n"
      ".global .b8 text[6] = {104, 105, 10};\n"
      ".global .u64 sums[2] = {1 + 2 * 3, -1};\n"
      ".global .u32 rows[][2] = {{1}, {2, 3}, {4}};\n"
      ".global .u16 flat[][2] = {1, 2, 3};\n");
  EXPECT_EQ(contents<std::uint32_t>(*m, "one"), (std::vector<std::uint32_t>{7}));
  EXPECT_EQ(contents<std::int16_t>(*m, "list"), (std::vector<std::int16_t>{1, -2, 0x7fff}));
  EXPECT_EQ(contents<float>(*m, "matrix"), (std::vector<float>{1, 2, 0, 3, 4, -5}));
  EXPECT_EQ(contents<double>(*m, "doubles"), (std::vector<double>{1, 2}));
  EXPECT_EQ(contents<std::uint32_t>(*m, "pairs"), (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(contents<std::uint8_t>(*m, "text"), (std::vector<std::uint8_t>{104, 105, 10, 0, 0, 0}));
  EXPECT_EQ(contents<std::uint64_t>(*m, "sums"), (std::vector<std::uint64_t>{7, ~std::uint64_t{0}}));
  EXPECT_EQ(contents<std::uint32_t>(*m, "rows"), (std::vector<std::uint32_t>{1, 0, 2, 3, 4, 0}));
  EXPECT_EQ(contents<std::uint16_t>(*m, "flat"), (std::vector<std::uint16_t>{1, 2, 3, 0}));
}

TEST(Variables, InitialisersHoldAddresses) {
  const auto m = module_of(
      ".global .u64 table[4] = {target, generic(target)+8, generic(later), target-4};\n"
      ".global .align 4 .b8 target[16];\n.global .u32 later;\n"
      ".global .u8 bytes[3] = {0xff(target), 0xff00(target), 0xff00000000(target+1)};\n");
  const std::uint64_t target = find(*m, "target")->address;
  EXPECT_EQ(contents<std::uint64_t>(*m, "table"),
            (std::vector<std::uint64_t>{target, target + 8, find(*m, "later")->address, target - 4}));
  EXPECT_EQ(
      contents<std::uint8_t>(*m, "bytes"),
      (std::vector<std::uint8_t>{static_cast<std::uint8_t>(target), static_cast<std::uint8_t>(target >> 8),
                                 static_cast<std::uint8_t>(target >> 32)}));
}

TEST(Variables, DefinitionsReplaceExternDeclarations) {
  const auto m =
      module_of(".extern .global .u32 x;\n.visible .global .u32 x = 5;\n.extern .global .u32 x;\n");
  EXPECT_EQ(contents<std::uint32_t>(*m, "x"), (std::vector<std::uint32_t>{5}));
}

TEST(Variables, BadInitialisersCountOnlyWhenUsed) {
  using test::complaint;
  const std::string top = ".global .u32 bad[2] = {1, 2, 3};";
  EXPECT_EQ(complaint("", top), "");
  EXPECT_NE(complaint("ld.global.u32 %r1, [bad];", top).find("too many values in an initialiser"),
            std::string::npos);
  EXPECT_NE(complaint("ld.global.u32 %r1, [x];", ".extern .global .u32 x[];").find("defined in another file"),
            std::string::npos);
  EXPECT_NE(
      complaint("mov.u64 %d1, t;", ".global .matrixref t;").find("unknown type .matrixref of a variable"),
      std::string::npos);
}

TEST(Variables, SharedMemoryHoldsWhatTheKernelUses) {
  const std::string top =
      ".shared .align 4 .b8 unused[400];\n.shared .align 4 .b8 first[6];\n.shared .align 16 .f64 second[2];\n"
      ".extern .shared .align 4 .b8 dynamic[];\n";
  const isa::Program p = test::lower(
      ".shared .u32 own;\n"
      "st.shared.u32 [own], %r1;\n st.shared.f64 [second+8], %fd1;\n st.shared.u8 [first+5], %r1;\n"
      "mov.u32 %r2, dynamic;\n mov.u64 %d1, dynamic;",
      top);
  EXPECT_EQ(p.code[2].src[0].value, isa::kSharedWindow + 5);
  EXPECT_EQ(p.code[1].src[0].value, isa::kSharedWindow + 16 + 8);
  EXPECT_EQ(p.code[0].src[0].value, isa::kSharedWindow + 32);
  EXPECT_EQ(p.shared_bytes, 36u);
  EXPECT_EQ(p.code[3].src[0].value, isa::kSharedWindow + 48);
  EXPECT_EQ(p.code[4].src[0].value, isa::kSharedWindow + 48);
}

TEST(Variables, DynamicSharedMemoryKeepsItsAlignment) {
  const isa::Program p = test::lower(".shared .u32 own; st.shared.u32 [own], 0; mov.u32 %r2, dynamic;",
                                     ".extern .shared .align 128 .b8 dynamic[];\n");
  EXPECT_EQ(p.code[1].src[0].value, isa::kSharedWindow + 128);
  EXPECT_EQ(p.shared_bytes, 128u);
}

TEST(Variables, LocalVariablesAreAThreadsOwn) {
  const isa::Program p = test::lower(
      ".local .align 8 .b8 depot[12]; .local .align 16 .b8 other[4];\n"
      "mov.u64 %d1, depot; cvta.local.u64 %d2, %d1; st.local.u32 [other], %r1;");
  EXPECT_EQ(p.code[0].src[0].value, isa::kLocalWindow);
  EXPECT_EQ(p.code[2].src[0].value, isa::kLocalWindow + 16);
  EXPECT_EQ(p.local_bytes, 20u);
}

}  // namespace
}  // namespace heddle::ptx

#include "models/ptx/heap_library.h"

#include <utility>
#include <vector>

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kFirstBlock = 512, kBlockHead = 16;

// PTX of malloc. $W is replaced by the width of an address in bits, which is also the width of the registers
// %a. Other words that begin with $ are replaced by numbers.
constexpr const char* kMalloc = R"(
.func (.param .b$W taken) malloc (.param .b$W bytes)
{
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<4>; .reg .b$W %a<8>;
  ld.param.u$W %a1, [bytes];
  mov.u$W %a0, 0;
  mov.u$W %a7, __heddle_heap;
  setp.eq.u$W %p1, %a1, 0;
  @%p1 bra DONE;
  // %r0: bytes for blocks.
  ld.global.u32 %r0, [%a7+4];
  sub.u32 %r0, %r0, $FIRST;
  cvt.u$W.u32 %a6, %r0;
  setp.ge.u$W %p1, %a1, %a6;
  @%p1 bra DONE;
  // %r2: the size's power of two; %r3: the one whose list is looked at.
  cvt.u32.u$W %r1, %a1;
  add.u32 %r1, %r1, 15;
  clz.b32 %r2, %r1;
  sub.u32 %r2, 32, %r2;
  max.u32 %r2, %r2, 5;
  mov.u32 %r3, %r2;
LIST:
  shl.b32 %r4, %r3, 3;
  cvt.u$W.u32 %a2, %r4;
  add.u$W %a2, %a7, %a2;
TAKE:
  ld.volatile.global.u64 %d1, [%a2];
  cvt.u32.u64 %r5, %d1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EMPTY;
  cvt.u$W.u32 %a3, %r5;
  add.u$W %a3, %a7, %a3;
  ld.volatile.global.u32 %r6, [%a3+4];
  shr.u64 %d2, %d1, 32;
  add.u64 %d2, %d2, 1;
  shl.b64 %d2, %d2, 32;
  cvt.u64.u32 %d3, %r6;
  or.b64 %d2, %d2, %d3;
  atom.global.cas.b64 %d3, [%a2], %d1, %d2;
  setp.ne.u64 %p1, %d3, %d1;
  @%p1 bra TAKE;
  bra TAKEN;
EMPTY:
  setp.ne.u32 %p1, %r3, %r2;
  @%p1 bra LARGER;
  mov.u32 %r7, 1;
  shl.b32 %r7, %r7, %r2;
  ld.volatile.global.u32 %r8, [%a7];
GROW:
  add.u32 %r9, %r8, %r7;
  setp.gt.u32 %p1, %r9, %r0;
  @%p1 bra LARGER;
  atom.global.cas.b32 %r10, [%a7], %r8, %r9;
  setp.eq.u32 %p1, %r10, %r8;
  @%p1 bra GROWN;
  mov.u32 %r8, %r10;
  bra GROW;
GROWN:
  add.u32 %r5, %r8, $FIRST;
  cvt.u$W.u32 %a3, %r5;
  add.u$W %a3, %a7, %a3;
  bra TAKEN;
LARGER:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 32;
  @%p1 bra LIST;
  bra DONE;
TAKEN:
  or.b32 %r11, %r3, $LIVE;
  st.volatile.global.u32 [%a3], %r11;
  add.u$W %a0, %a3, 16;
DONE:
  st.param.b$W [taken], %a0;
  ret;
}
)";

constexpr const char* kFree = R"(
.func free (.param .b$W taken)
{
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<4>; .reg .b$W %a<12>;
  ld.param.u$W %a1, [taken];
  setp.eq.u$W %p1, %a1, 0;
  @%p1 bra DONE;
  mov.u$W %a7, __heddle_heap;
  sub.u$W %a2, %a1, %a7;
  ld.global.u32 %r0, [%a7+4];
  cvt.u$W.u32 %a6, %r0;
  sub.u$W %a6, %a6, $LEAST;
  sub.u$W %a3, %a2, $LEAST;
  setp.ge.u$W %p1, %a3, %a6;
  @%p1 bra WRONG;
  and.b$W %a3, %a2, 15;
  setp.ne.u$W %p1, %a3, 0;
  @%p1 bra WRONG;
  sub.u$W %a3, %a1, 16;
  ld.volatile.global.u32 %r1, [%a3];
  and.b32 %r2, %r1, 0xffffff00;
  setp.ne.u32 %p1, %r2, $LIVE;
  @%p1 bra WRONG;
  and.b32 %r3, %r1, 31;
  or.b32 %r4, %r3, $FREED;
  membar.gl;
  atom.global.cas.b32 %r5, [%a3], %r1, %r4;
  setp.ne.u32 %p1, %r5, %r1;
  @%p1 bra WRONG;
  cvt.u32.u$W %r6, %a2;
  sub.u32 %r6, %r6, 16;
  shl.b32 %r7, %r3, 3;
  cvt.u$W.u32 %a4, %r7;
  add.u$W %a4, %a7, %a4;
GIVE:
  ld.volatile.global.u64 %d1, [%a4];
  cvt.u32.u64 %r8, %d1;
  st.volatile.global.u32 [%a3+4], %r8;
  membar.gl;
  shr.u64 %d2, %d1, 32;
  add.u64 %d2, %d2, 1;
  shl.b64 %d2, %d2, 32;
  cvt.u64.u32 %d3, %r6;
  or.b64 %d2, %d2, %d3;
  atom.global.cas.b64 %d3, [%a4], %d1, %d2;
  setp.ne.u64 %p1, %d3, %d1;
  @%p1 bra GIVE;
  bra DONE;
WRONG:
  mov.u$W %a8, __heddle_free_text;
  mov.u$W %a9, __heddle_heap_file;
  mov.u32 %r9, 0;
  mov.u$W %a10, __heddle_free_name;
  mov.u$W %a11, 1;
  call __assertfail, (%a8, %a9, %r9, %a10, %a11);
DONE:
  ret;
}
)";

constexpr const char* kAssertion = R"(
.extern .func __assertfail (.param .b$W a, .param .b$W b, .param .b32 c, .param .b$W d, .param .b$W e);
)";

std::string text_variable(const char* name, std::string_view text) {
  std::string made =
      std::string(".global .align 1 .b8 ") + name + "[" + std::to_string(text.size() + 1) + "] = {";
  for (const char c : text) made += std::to_string(static_cast<int>(c)) + ", ";
  return made + "0};\n";
}

}  // namespace

bool is_malloc(std::string_view name) { return name == "malloc"; }
bool is_free(std::string_view name) { return name == "free"; }

std::string heap_library(bool with_malloc, bool with_free, int address_bits) {
  std::string text = "\n.extern .global .align 16 .b8 " + std::string(kHeapSymbol) + "[];\n";
  if (with_malloc) text += kMalloc;
  if (with_free) {
    text += kAssertion;
    text += text_variable("__heddle_free_text", "free takes what malloc has given, once");
    text += text_variable("__heddle_heap_file", "heap of the device");
    text += text_variable("__heddle_free_name", "free");
    text += kFree;
  }
  const std::vector<std::pair<std::string_view, std::string>> words = {
      {"$W", std::to_string(address_bits)},
      {"$LEAST", std::to_string(kFirstBlock + kBlockHead)},
      {"$FIRST", std::to_string(kFirstBlock)},
      {"$LIVE", "0x6c697600"},
      {"$FREED", "0x66726500"},
  };
  for (const auto& [word, number] : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + number.size()))
      text.replace(at, word.size(), number);
  return text;
}

}  // namespace heddle::ptx

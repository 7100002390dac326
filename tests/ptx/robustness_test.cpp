// Random incorrect text must either be refused by an Error, or give a program with no branch to a place
// outside of the program. The texts are a fixed sequence of truncations and changes of correct PTX files.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "models/core/error.h"
#include "models/ptx/module.h"

namespace heddle::ptx {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool try_all(const std::string& text) {
  bool fine = true;
  try {
    const auto module = parse_module(text, "garbage.ptx");
    for (const KernelName& kernel : module->kernels()) {
      try {
        isa::Program program = lower_kernel(*module, kernel.mangled);
        for (const isa::Instruction& i : program.code)
          if (i.op == isa::Opcode::bra) {
            EXPECT_GE(i.target, 0);
            EXPECT_LT(i.target, static_cast<std::int32_t>(program.code.size()));
          }
        isa::bind_lane_functions(program);
      } catch (const Error&) {
        fine = false;
      }
    }
  } catch (const Error&) {
    fine = false;
  }
  return fine;
}

std::string mutate(std::string text, std::mt19937& random) {
  static const char* const kPieces[] = {"{",      "}",     "[",       "]",     "(",   ")",   ";",    ",",
                                        "@",      "!",     "0",       "-1",    "|",   "+",   "_",    "\"",
                                        "/*",     "<",     ".v4",     "0f",    "%r1", "%p1", "ret;", "call",
                                        ".param", ".func", ".shared", "= {1}", "~",   ":"};
  const unsigned rounds = 1 + random() % 3;
  for (unsigned n = 0; n < rounds && !text.empty(); ++n) {
    const std::size_t at = random() % text.size();
    switch (random() % 5) {
      case 0:
        text.erase(at, 1 + random() % 9);
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      default:
        text.erase(at, text.find('\n', at) - at);
        break;
    }
  }
  return text;
}

TEST(Robustness, TruncatedFiles) {
  for (const char* file : {"tests/ptx/fixtures/calls.ptx", "tests/ptx/fixtures/inline_asm.ptx"}) {
    const std::string text = read(file);
    ASSERT_FALSE(text.empty());
    for (std::size_t length = 0; length < text.size(); length += 7) try_all(text.substr(0, length));
  }
}

TEST(Robustness, MutatedFiles) {
  std::mt19937 random(20240611);
  int refused = 0, runs = 0;
  for (const char* file : {"tests/ptx/fixtures/calls.ptx", "tests/ptx/fixtures/inline_asm.ptx"}) {
    const std::string text = read(file);
    for (int round = 0; round < 600; ++round, ++runs) refused += try_all(mutate(text, random)) ? 0 : 1;
  }
  EXPECT_GT(refused, runs / 4);
}

TEST(Robustness, DeepNesting) {
  const auto kernel = [](const std::string& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { .reg .b32 %r<9>; " + body +
           " ret; }\n";
  };
  const std::string open(100000, '{'), close(100000, '}'), round(100000, '(');
  EXPECT_TRUE(try_all(kernel(open + close)));
  EXPECT_FALSE(try_all(kernel(open)));
  EXPECT_FALSE(try_all(kernel("add.s32 %r1, %r2, " + round + "1;")));
  EXPECT_FALSE(try_all(kernel("mov.b64 %r1, " + open + "1;")));
  // A wrong initial value must be refused only if a kernel uses the variable, so this module is accepted.
  EXPECT_TRUE(try_all(".global .u32 x[2] = " + open + close + ";\n"));
  std::string generic;
  for (int n = 0; n < 100000; ++n) generic += "generic(";
  EXPECT_TRUE(try_all(".global .u64 x = " + generic + "x" + std::string(100000, ')') + ";\n"));
}

TEST(Robustness, CallsThatMultiplyEnd) {
  std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.func f0() { .reg .b32 x; add.s32 x, x, 1; }\n";
  for (int n = 1; n <= 30; ++n) {
    const std::string below = "call f" + std::to_string(n - 1) + ";";
    text += ".func f" + std::to_string(n) + "() { " + below + below + below + below + " }\n";
  }
  EXPECT_FALSE(try_all(text + ".entry k() { call f30; }\n"));
}

}  // namespace
}  // namespace heddle::ptx

// Calls functions by name, with null pointers and extreme numbers. Each line of the table has a function's name and the
// kinds of its arguments in registers and on the stack: p a pointer, n a number, f a function.
#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "check.h"

using Word = std::uint64_t;
using Function = int (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

constexpr int kInRegisters = 6, kMostWords = 14;
constexpr std::size_t kBytes = 1 << 16;
static char memory[kMostWords][kBytes];

static int do_nothing() { return 0; }

struct Variant {
  bool pointers;
  Word number;
};

static int call(void* function, const std::string& kinds, const Variant& variant) {
  Word words[kMostWords] = {};
  for (std::size_t i = 0; i < kinds.size() && i < kMostWords; ++i) {
    std::memset(memory[i], 0, kBytes);
    if (kinds[i] == 'n') words[i] = variant.number;
    if (kinds[i] == 'p' && variant.pointers) words[i] = reinterpret_cast<Word>(memory[i]);
    if (kinds[i] == 'f' && variant.pointers) words[i] = reinterpret_cast<Word>(&do_nothing);
  }
  return reinterpret_cast<Function>(function)(words[0], words[1], words[2], words[3], words[4], words[5], words[6],
                                              words[7], words[8], words[9], words[10], words[11], words[12], words[13]);
}

int main(int, char** argv) {
  const Variant variants[] = {{false, 0}, {false, ~Word{0}}, {true, 0}, {true, 1}, {true, ~Word{0}}, {true, Word{1} << 63}};
  std::ifstream table(argv[1]);
  std::string name, in_registers, on_stack;
  long wrong = 0, calls = 0;
  while (table >> name >> in_registers >> on_stack) {
    void* const function = dlsym(RTLD_DEFAULT, name.c_str());
    if (!function) {
      std::printf("%s is not exported\n", name.c_str());
      ++wrong;
      continue;
    }
    in_registers = in_registers == "-" ? "" : in_registers;
    in_registers.resize(kInRegisters, '0');
    if (on_stack != "-") in_registers += on_stack;
    std::printf("%s", name.c_str());
    for (const Variant& variant : variants) {
      std::fflush(stdout);  // if a call crashes, the last printed name is its name
      std::printf(" %d", call(function, in_registers, variant));
      cudaGetLastError();
      if (cudaDeviceSynchronize() != cudaSuccess) {
        std::printf(" sticky");
        ++wrong;
      }
      ++calls;
    }
    std::printf("\n");
  }
  return report(wrong, calls);
}

#include <array>
#include <bit>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::block_cipher {
namespace {

// keys of the rounds; the launch file has the same numbers
constexpr std::array<std::uint32_t, 16> round_key = {
    2654435769, 1030746739, 3735185711, 1909780461, 117797005,  2891301711, 2007003179, 3230334201,
    3484616641, 2138804331, 2818989719, 333499861,  2554445557, 245432759,  2172970259, 43416177};

void reference(KernelData& data) {
  const auto plain = data.buffer<std::uint32_t>("plain");
  const auto cipher = data.buffer<std::uint32_t>("cipher");
  std::array<std::uint8_t, 256> substitute;
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::uint32_t mixed = i * 167 + 29;
    substitute[i] = static_cast<std::uint8_t>(mixed ^ ((mixed >> 4) & 0x0f));
  }
  for (std::uint32_t i = 0; i < plain.size(); ++i) {
    std::uint32_t state = plain[i];
    for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
      state ^= round_key[round % 16];
      std::uint32_t replaced = 0;
      for (int byte = 0; byte < 32; byte += 8) {
        replaced |= static_cast<std::uint32_t>(substitute[(state >> byte) & 0xff]) << byte;
      }
      state = std::rotl(replaced, 11) + i;
    }
    cipher[i] = state;
  }
}

const KernelReference registered("block_cipher", &reference);

}  // namespace
}  // namespace heddle::kernels::block_cipher

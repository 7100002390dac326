#pragma once

// Fat binaries: what nvcc and clang put into a program for its device code, as `cuobjdump` lists it. There is no
// published format; this one was read off programs of CUDA 11 to 13 and of clang.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cudart {

/// One PTX text of a fat binary.
struct PtxText {
  int architecture = 0;      ///< 75 for compute_75
  bool relocatable = false;  ///< compiled with -rdc=true: it may need other files' functions and variables
  std::string text;
};

struct FatBinary {
  std::vector<PtxText> ptx;
  std::vector<int> machine_code;  ///< architectures of code that only a GPU runs
};

/// Reads one fat binary (magic ba55ed50) that lies in memory and says itself how long it is. Texts are plain, LZ4 or
/// zstd: their first bytes and their size say which. Throws Error that names `where` for anything else.
FatBinary read_fat_binary(const void* image, const std::string& where);

/// Whether a fat binary begins here.
bool is_fat_binary(const void* image);

/// The text that Heddle takes: of the highest architecture; nullptr if there is none.
const PtxText* best_text(const FatBinary& binary);

}  // namespace heddle::cudart

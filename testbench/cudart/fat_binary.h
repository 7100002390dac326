#pragma once

// Reads fat binaries: the device code that nvcc and clang put into a program, as `cuobjdump` lists it. The
// format is not published; this reader follows programs of CUDA 11 to 13 and of clang.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cudart {

struct PtxText {
  int architecture = 0;  ///< architecture of the PTX: 75 for compute_75
  /// True: the text was compiled with -rdc=true and may need functions and variables of other files.
  bool relocatable = false;
  std::string text;
};

struct FatBinary {
  std::vector<PtxText> ptx;
  std::vector<int> machine_code;
};

/// Reads one fat binary (magic number ba55ed50); its header gives the length. PTX texts are plain, or
/// compressed by LZ4 or zstd. Throws Error, which names `where`, for malformed contents.
FatBinary read_fat_binary(const void* image, const std::string& where);

/// Call before read_fat_binary() for data of known length. Throws Error, which names `where`, if a fat binary
/// in `image` is truncated.
void require_whole_fat_binary(const void* image, std::size_t bytes, const std::string& where);

bool is_fat_binary(const void* image);

/// Returns the PTX for the highest architecture; nullptr if there is none.
const PtxText* best_text(const FatBinary& binary);

}  // namespace heddle::cudart

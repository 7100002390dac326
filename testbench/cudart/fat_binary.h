#pragma once

// Reads fat binaries, in which nvcc and clang put device code into a program (`cuobjdump` lists their
// contents). The format is not published. This reader was derived from programs that CUDA 11 to 13 and clang
// compiled.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cudart {

struct PtxText {
  int architecture = 0;  ///< architecture of the PTX: 75 for compute_75
  /// True if the text was compiled with -rdc=true. The text may then need functions and variables of other
  /// files.
  bool relocatable = false;
  std::string text;
};

struct FatBinary {
  std::vector<PtxText> ptx;
  std::vector<int> machine_code;
};

/// Reads one fat binary (magic number ba55ed50). The fat binary's header states its length. PTX texts in it
/// are plain, or compressed by LZ4 or zstd. Throws Error, which names `where`, for malformed contents.
FatBinary read_fat_binary(const void* image, const std::string& where);

/// Throws Error, which names `where`, if a fat binary in `image` is truncated. Call before read_fat_binary()
/// if the length of the data is known.
void require_whole_fat_binary(const void* image, std::size_t bytes, const std::string& where);

bool is_fat_binary(const void* image);

/// Returns the PTX for the highest architecture; nullptr if there is none.
const PtxText* best_text(const FatBinary& binary);

}  // namespace heddle::cudart

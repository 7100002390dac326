#pragma once

// malloc and free for kernels, as PTX that is appended to a module that calls them (CUDA C++ Programming
// Guide, "Dynamic Global Memory Allocation and Operations"). CUDA's allocator is not published; this one is
// assumed.
//
// The heap is a module variable (isa::kHeap). It begins with the number of allocated bytes, the size of the
// heap, and a free list for each block size with a counter of its changes. Block sizes are powers of two from
// 32 bytes; the first 16 bytes of a block belong to the allocator. malloc takes a free block of the required
// size, otherwise new memory, otherwise a larger free block. It returns 0 if there is none. No thread waits
// for another. As in CUDA, the addresses depend on the order of the threads.

#include <string>
#include <string_view>

namespace heddle::ptx {

/// Name of the heap variable in this PTX.
inline constexpr std::string_view kHeapSymbol = "__heddle_heap";

bool is_malloc(std::string_view name);
bool is_free(std::string_view name);

/// Returns the PTX of malloc, free, or both.
std::string heap_library(bool with_malloc, bool with_free, int address_bits);

}  // namespace heddle::ptx

#pragma once

// malloc and free for kernels, as PTX text that is appended to a module that calls them (CUDA C++ Programming
// Guide, "Dynamic Global Memory Allocation and Operations"). The allocator is assumed, because NVIDIA has not
// published CUDA's allocator.
//
// The heap is a module variable (isa::kHeap). The heap begins with the number of allocated bytes and the size
// of the heap. For each block size, a free list and a counter of the list's changes follow. Block sizes are
// powers of two from 32 bytes on. 16 bytes of each block belong to the allocator. malloc takes a free block
// of the required size, otherwise new memory, otherwise a larger free block. If there is none, malloc returns
// 0. As in CUDA, the addresses depend on the order of the threads.

#include <string>
#include <string_view>

namespace heddle::ptx {

inline constexpr std::string_view kHeapSymbol = "__heddle_heap";

bool is_malloc(std::string_view name);
bool is_free(std::string_view name);

/// Returns the PTX text of malloc, of free, or of both. `address_bits`: width of an address, 32 or 64.
std::string heap_library(bool with_malloc, bool with_free, int address_bits);

}  // namespace heddle::ptx

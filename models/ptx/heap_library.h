#pragma once

// malloc and free in kernels, as PTX that joins a module which calls them (CUDA C++ Programming Guide, "Dynamic Global
// Memory Allocation and Operations"). CUDA's own allocator is not told; this one is assumed.
//
// The heap is a variable of its own (isa::kHeap). It begins with the bytes that were handed out so far, its size, and for
// every size of blocks the list of those that were freed, with a count of its changes. Blocks have a power of two bytes
// from 32 on, the first 16 of them for the allocator. malloc takes a freed block of its size, else new memory, else a
// freed block that is larger, else it returns 0; nobody ever waits for another thread. Which address a thread gets depends
// on the order of threads, as in CUDA.

#include <string>
#include <string_view>

namespace heddle::ptx {

/// The symbol by which that PTX names the heap.
inline constexpr std::string_view kHeapSymbol = "__heddle_heap";

bool is_malloc(std::string_view name);
bool is_free(std::string_view name);

/// PTX of both functions, or of one.
std::string heap_library(bool with_malloc, bool with_free, int address_bits);

}  // namespace heddle::ptx

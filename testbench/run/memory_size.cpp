#include "testbench/run/memory_size.h"

#include <fmt/format.h>

#include "models/core/registry.h"
#include "models/memory/cached_parameters.h"
#include "models/memory/memory_parameters.h"

namespace heddle::run {

std::string memory_size_warning(const GpuParameters& gpu) {
  if (choice_name(gpu.memory) != "cached") return {};
  MemoryParameters<CachedParameters> memory;
  read_fields(choice_parameters(gpu.memory), memory);
  if (!memory.is_small_for(gpu.sms)) return {};
  return fmt::format(
      "gpu.memory was made for {} SMs (made_for_sms), and this GPU has {}: misses that wait for each other "
      "can make a kernel slower than on fewer SMs; gpu.memory.scale=sms enlarges the memory with the SMs",
      memory.made_for_sms * memory.copies(gpu.sms), gpu.sms);
}

}  // namespace heddle::run

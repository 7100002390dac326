#include "testbench/estimate/untimed_store.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "testbench/estimate/untimed_key.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"

namespace heddle::estimate {
namespace {

namespace fs = std::filesystem;

}  // namespace

UntimedStore::UntimedStore(std::string folder, int threads) : folder_(std::move(folder)), threads_(threads) {
  if (std::error_code ec; !folder_.empty() && fs::exists(folder_, ec) && !fs::is_directory(folder_, ec))
    throw Error("watch.untimed_store", folder_ + " is no folder", "a folder, or a new name");
}

UntimedExecution UntimedStore::execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                                       const reference::ReferenceOptions& options,
                                       std::size_t cache_lines) const {
  if (folder_.empty() || launch.reads)
    return execute_in_parts(launch, memory, options, cache_lines, threads_);
  const std::string key = untimed_key(launch, memory, options, {cache_lines, threads_});
  UntimedFile found = find(key, launch, memory, options);
  if (found.execution) return std::move(*found.execution);
  if (!found.unfit.empty()) {
    fmt::print(stderr, "warning: {}; the launch is executed again\n", found.unfit);
    std::error_code ec;
    fs::remove_all(file_of(key), ec);
  }
  const MemoryImage before = memory;
  UntimedExecution execution = execute_in_parts(launch, memory, options, cache_lines, threads_);
  if (execution.counts.result.warp_instructions >= kLeastInstructions) keep(key, execution, before, memory);
  return execution;
}

UntimedFile UntimedStore::find(const std::string& key, const isa::KernelLaunch& launch, MemoryImage& memory,
                               const reference::ReferenceOptions& options) const {
  std::error_code ec;
  if (fs::symlink_status(file_of(key), ec).type() == fs::file_type::not_found) return {};
  UntimedFile found;
  try {
    found = read_untimed_file(launch::read_bytes(file_of(key)), key, launch, options.max_warp_instructions,
                              memory);
    if (!found.unfit.empty()) found.unfit = fmt::format("{}: {}", file_of(key), found.unfit);
  } catch (const Error& error) {
    found.unfit = error.what();
  }
  return found;
}

// Stores the results of an untimed execution in a file. Failures to write are ignored, because later runs can
// execute the launch again.
void UntimedStore::keep(const std::string& key, const UntimedExecution& execution, const MemoryImage& before,
                        const MemoryImage& after) const {
  const std::vector<std::uint8_t> bytes = untimed_file(key, execution, before, after);
  if (bytes.size() > kMostBytes) return;
  try {
    std::error_code ec;
    fs::create_directories(folder_, ec);
    launch::NewFile file(file_of(key));
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.commit();
  } catch (const Error&) {
  }
}

}  // namespace heddle::estimate

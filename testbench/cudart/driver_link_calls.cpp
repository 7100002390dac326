// Calls of the CUDA driver interface that link PTX at run time (cuLink*). The OpenMP and OpenACC runtimes of
// GCC use them in every program.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/ptx/module.h"
#include "testbench/cudart/driver.h"
#include "testbench/cudart/fat_binary.h"
#include "testbench/cudart/linked_text.h"

namespace heddle::cudart {
namespace {

constexpr int kPtx = 1, kFatBinary = 2;
constexpr int kErrorLog = 5, kErrorLogBytes = 6;
constexpr int kInfoLogBytes = 4, kWallTime = 2;

/// A link in progress: the PTX texts that were added so far, and the program's buffer for error messages.
struct Link {
  std::vector<std::string> texts;
  std::string image;
  char* log = nullptr;
  std::size_t log_bytes = 0;
};

std::map<void*, std::unique_ptr<Link>>& links() {
  static std::map<void*, std::unique_ptr<Link>> all;
  return all;
}

Link& link_of(void* state) {
  const auto found = links().find(state);
  if (found == links().end()) refuse(cudaErrorInvalidResourceHandle, "a link that was not created");
  return *found->second;
}

void read_options(Link& link, unsigned count, const int* options, void** values) {
  constexpr unsigned kMostOptions = 64;  // more options than any version of CUDA has (CUDA 13: 34)
  if (count > kMostOptions) refuse(cudaErrorInvalidValue, fmt::format("{} options", count));
  if (count && (!options || !values)) refuse(cudaErrorInvalidValue, "options without their values");
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == kErrorLog) link.log = static_cast<char*>(values[i]);
    if (options[i] == kErrorLogBytes) link.log_bytes = static_cast<std::uint32_t>(address_of(values[i]));
    if (options[i] == kInfoLogBytes || options[i] == kErrorLogBytes || options[i] == kWallTime)
      values[i] = nullptr;
  }
  if (link.log && link.log_bytes) link.log[0] = '\0';
}

[[noreturn]] void fail(const Link& link, int code, const std::string& text) {
  if (link.log && link.log_bytes) {
    const std::size_t bytes = std::min(text.size(), link.log_bytes - 1);
    std::memcpy(link.log, text.data(), bytes);
    link.log[bytes] = '\0';
  }
  refuse(code, text);
}

/// Returns the PTX in `data`, which is a text (zeros may follow) or a fat binary.
std::string text_of(const Link& link, int type, const void* data, std::size_t bytes,
                    const std::string& name) {
  if (!data || bytes == 0) fail(link, cudaErrorInvalidValue, name + ": no data");
  if (type == kFatBinary && bytes >= sizeof(std::uint32_t) && is_fat_binary(data)) {
    try {
      require_whole_fat_binary(data, bytes, name);
      const FatBinary binary = read_fat_binary(data, name);
      if (const PtxText* const best = best_text(binary)) return best->text;
    } catch (const Error& error) {
      fail(link, cudaErrorInvalidPtx, error.what());
    }
  }
  if (type != kPtx)
    fail(link, cudaErrorInvalidKernelImage, name + ": machine code, which only a GPU runs (allowed: PTX)");
  const auto* const text = static_cast<const char*>(data);
  return {text, std::find(text, text + bytes, '\0')};
}

std::string input_name(const Link& link, const char* name) {
  return name && *name ? name : fmt::format("input {} of the link", link.texts.size());
}

}  // namespace

HEDDLE_CUDA int cuLinkCreate_v2(unsigned count, int* options, void** values, void** state) {
  return driver_call(__func__, [&](Runtime&) {
    if (!state) refuse(cudaErrorInvalidValue, "no place for the link");
    auto link = std::make_unique<Link>();
    read_options(*link, count, options, values);
    *state = link.get();
    links()[*state] = std::move(link);
  });
}

HEDDLE_CUDA int cuLinkAddData_v2(void* state, int type, void* data, std::size_t bytes, const char* name,
                                 unsigned count, int* options, void** values) {
  return driver_call(__func__, [&](Runtime&) {
    Link& link = link_of(state);
    read_options(link, count, options, values);
    link.texts.push_back(text_of(link, type, data, bytes, input_name(link, name)));
  });
}

HEDDLE_CUDA int cuLinkAddFile_v2(void* state, int type, const char* path, unsigned count, int* options,
                                 void** values) {
  return driver_call(__func__, [&](Runtime&) {
    Link& link = link_of(state);
    read_options(link, count, options, values);
    if (!path) fail(link, cudaErrorInvalidValue, "no path");
    std::string text;
    try {
      text = read_text_file(path, "the input of the link");
    } catch (const Error& error) {
      fail(link, cudaErrorFileNotFound, error.what());
    }
    link.texts.push_back(text_of(link, type, text.data(), text.size(), path));
  });
}

/// Links the texts that were added. The linked text stays in memory until the link is destroyed; modules that
/// are loaded from it have copies.
HEDDLE_CUDA int cuLinkComplete(void* state, void** image, std::size_t* bytes) {
  return driver_call(__func__, [&](Runtime&) {
    Link& link = link_of(state);
    if (!image) fail(link, cudaErrorInvalidValue, "no place for the linked image");
    if (link.texts.empty()) fail(link, cudaErrorInvalidValue, "nothing to link");
    link.image = link.texts.size() == 1 ? link.texts.front() : linked_text(link.texts);
    try {
      ptx::parse_module(link.image, "the linked texts");
    } catch (const Error& error) {
      fail(link, cudaErrorInvalidPtx, error.what());
    }
    *image = link.image.data();
    if (bytes) *bytes = link.image.size() + 1;
  });
}

HEDDLE_CUDA int cuLinkDestroy(void* state) {
  return driver_call(__func__, [&](Runtime&) {
    link_of(state);
    links().erase(state);
  });
}

// Programs made for CUDA 5.5 to 6 call the link functions by names without _v2.
HEDDLE_CUDA int cuLinkCreate(unsigned count, int* options, void** values, void** state) {
  return cuLinkCreate_v2(count, options, values, state);
}
HEDDLE_CUDA int cuLinkAddData(void* state, int type, void* data, std::size_t bytes, const char* name,
                              unsigned count, int* options, void** values) {
  return cuLinkAddData_v2(state, type, data, bytes, name, count, options, values);
}
HEDDLE_CUDA int cuLinkAddFile(void* state, int type, const char* path, unsigned count, int* options,
                              void** values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}

}  // namespace heddle::cudart

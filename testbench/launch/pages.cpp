#include "testbench/launch/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::launch {
namespace {

constexpr std::uint64_t kPrime = 0x100000001b3;
constexpr std::uint64_t kOdd1 = 0x9e3779b97f4a7c15, kOdd2 = 0xc2b2ae3d27d4eb4f;

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 32;
  value *= kOdd1;
  return value ^ value >> 29;
}

}  // namespace

PageKey key_of(std::span<const std::uint8_t> page) {
  std::array<std::uint64_t, kPageBytes / sizeof(std::uint64_t)> words{};
  std::memcpy(words.data(), page.data(), std::min(page.size(), kPageBytes));
  PageKey key{kOdd1, kOdd2};
  for (const std::uint64_t word : words) {
    key.low = (std::rotl(key.low, 29) ^ word) * kOdd2;
    key.high = (std::rotl(key.high, 31) + word) * kOdd1;
  }
  return {mixed(key.low), mixed(key.high)};
}

void PagesHash::add(const PageKey& key) {
  for (const std::uint64_t part : {key.low, key.high}) value_ = mixed((value_ ^ part) * kPrime);
}

std::string PagesHash::text() const { return fmt::format("{:016x}", value_); }

std::vector<std::uint8_t> read_pages(const PageSource& source) {
  require_file(source.file);
  std::ifstream in(source.file, std::ios::binary);
  if (!in) throw Error(source.file, "the pages of a capture cannot be read");
  const std::uint64_t held = std::filesystem::file_size(source.file) / kPageBytes;
  const auto lacks = [&source](const PageRun& run) {
    return Error(source.where,
                 fmt::format("{} has no {} pages from page {}", source.file, run.count, run.first));
  };
  std::uint64_t pages = 0;
  for (const PageRun& run : source.runs) {
    if (run.count > held || run.first > held - run.count) throw lacks(run);
    pages += run.count;
  }
  if (source.bytes > pages * kPageBytes)
    throw Error(source.where, fmt::format("{} pages hold fewer than {} bytes", pages, source.bytes));
  std::vector<std::uint8_t> data;
  data.reserve(pages * kPageBytes);
  for (const PageRun& run : source.runs) {
    const std::size_t at = data.size(), bytes = run.count * kPageBytes;
    data.resize(at + bytes);
    in.seekg(static_cast<std::streamoff>(run.first * kPageBytes));
    in.read(reinterpret_cast<char*>(data.data() + at), static_cast<std::streamsize>(bytes));
    if (static_cast<std::size_t>(in.gcount()) != bytes) throw lacks(run);
  }
  PagesHash hash;
  for (std::size_t at = 0; at < data.size(); at += kPageBytes)
    hash.add(key_of(std::span(data).subspan(at, kPageBytes)));
  if (hash.text() != source.hash)
    throw Error(source.where, fmt::format("{} holds other pages than were captured", source.file));
  data.resize(source.bytes);
  return data;
}

}  // namespace heddle::launch

#include "testbench/cudart/fat_binary.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::cudart {
namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::uint16_t kPtxKind = 1, kMachineCodeKind = 2;
constexpr std::uint64_t kRelocatable = 0x4;
// Each of these four flags marks a compressed text. Known: 0x2000 for LZ4, 0x8000 for zstd.
constexpr std::uint64_t kCompressedFlags = 0xf000;
constexpr std::uint64_t kMostOfLz4 = 256;  // LZ4 expands one byte to at most this many
constexpr std::uint32_t kZstdMagic = 0xfd2fb528;

struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;
};

struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes, options;
  std::uint16_t minor, major;
  std::uint32_t architecture, name, name_bytes;
  // text_bytes: size of the decompressed text; 0 if the text is not compressed
  std::uint64_t flags, reserved, text_bytes;
};
static_assert(sizeof(Header) == 16 && sizeof(Entry) == 64);

std::string without_padding(std::string text) {
  const std::size_t end = text.find('\0');
  if (end != std::string::npos) text.resize(end);
  return text;
}

std::string unpack(const Entry& entry, const char* data, const std::string& where) {
  const bool packed = entry.text_bytes != 0 && (entry.flags & kCompressedFlags) != 0;
  if (!packed) return {data, data + entry.bytes};
  const std::uint64_t from = entry.compressed_bytes ? entry.compressed_bytes : entry.bytes;
  if (from > entry.bytes) throw Error(where, "a fat binary whose compressed text is cut off");
  std::uint32_t magic = 0;
  if (from >= sizeof magic) std::memcpy(&magic, data, sizeof magic);
  const bool is_zstd = magic == kZstdMagic;
  const std::uint64_t most = is_zstd ? kMostTextBytes : std::min(kMostTextBytes, from * kMostOfLz4);
  if (entry.text_bytes > most)
    throw Error(where,
                fmt::format("a fat binary whose text of {} bytes is packed in {}", entry.text_bytes, from),
                fmt::format("up to {} bytes", most));
  std::string text(entry.text_bytes, '\0');
  if (is_zstd) {
    const std::size_t made = ZSTD_decompress(text.data(), text.size(), data, from);
    if (ZSTD_isError(made) || made != text.size())
      throw Error(where, "a fat binary whose zstd text cannot be unpacked");
    return text;
  }
  const int made =
      LZ4_decompress_safe(data, text.data(), static_cast<int>(from), static_cast<int>(text.size()));
  if (made < 0 || static_cast<std::size_t>(made) != text.size())
    throw Error(where, "a fat binary whose text is packed neither as LZ4 nor as zstd");
  return text;
}

}  // namespace

bool is_fat_binary(const void* image) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  return magic == kMagic;
}

void require_whole_fat_binary(const void* image, std::size_t bytes, const std::string& where) {
  Header header{};
  if (bytes < sizeof header.magic || !is_fat_binary(image)) return;
  if (bytes >= sizeof header) std::memcpy(&header, image, sizeof header);
  if (bytes < sizeof header || header.header_bytes > bytes || header.bytes > bytes - header.header_bytes)
    throw Error(where, "a fat binary that is cut off");
}

FatBinary read_fat_binary(const void* image, const std::string& where) {
  const auto* at = static_cast<const char*>(image);
  Header header{};
  std::memcpy(&header, at, sizeof header);
  if (header.magic != kMagic || header.header_bytes < sizeof header)
    throw Error(where, fmt::format("not a fat binary: it begins with {:08x}", header.magic), "ba55ed50");
  at += header.header_bytes;
  const char* const end = at + header.bytes;
  FatBinary binary;
  while (static_cast<std::size_t>(end - at) >= sizeof(Entry)) {
    Entry entry{};
    std::memcpy(&entry, at, sizeof entry);
    const auto left = static_cast<std::uint64_t>(end - at);
    if (entry.header_bytes < sizeof entry || entry.header_bytes > left ||
        entry.bytes > left - entry.header_bytes)
      throw Error(where, "a fat binary with an entry that is cut off");
    const char* const data = at + entry.header_bytes;
    if (entry.kind == kPtxKind)
      binary.ptx.push_back({static_cast<int>(entry.architecture), (entry.flags & kRelocatable) != 0,
                            without_padding(unpack(entry, data, where))});
    else if (entry.kind == kMachineCodeKind)
      binary.machine_code.push_back(static_cast<int>(entry.architecture));
    at = data + entry.bytes;
  }
  return binary;
}

const PtxText* best_text(const FatBinary& binary) {
  const PtxText* best = nullptr;
  for (const PtxText& text : binary.ptx)
    if (!best || text.architecture > best->architecture) best = &text;
  return best;
}

}  // namespace heddle::cudart

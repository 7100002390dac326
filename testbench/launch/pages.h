#pragma once

// Stores memory images in pages by content. Equal pages of all launches of a capture are stored once, in one
// file.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::launch {

inline constexpr std::size_t kPageBytes = 4096;

/// A range of consecutive pages in the file of pages.
struct PageRun {
  std::uint64_t first = 0, count = 0;
};

/// Hash of a page's contents. Pages with equal hashes are stored once.
struct PageKey {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const PageKey&) const = default;
};
/// Returns the hash of a page of at most kPageBytes. A shorter page counts as padded with zeros.
PageKey key_of(std::span<const std::uint8_t> page);

/// Hash of a buffer: a hash over the hashes of its pages, in order.
class PagesHash {
 public:
  void add(const PageKey& key);
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

struct PageSource {
  std::string file;
  std::vector<PageRun> runs;
  std::uint64_t bytes = 0;  ///< length of the buffer in bytes; the last page may be shorter
  std::string hash;         ///< expected hash of the buffer's contents (PagesHash::text())
  std::string where;
};

/// Returns the bytes of a buffer. Throws Error for a file that cannot be read, lacks pages, or has changed
/// pages.
std::vector<std::uint8_t> read_pages(const PageSource& source);

}  // namespace heddle::launch

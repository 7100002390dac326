#pragma once

// Stores memory images as pages. The name of a stored page is a hash of its contents, so equal pages of a
// capture are stored only once.

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
/// Returns the hash of a page of at most kPageBytes bytes. A shorter page is hashed as if it were padded with
/// zeros.
PageKey key_of(std::span<const std::uint8_t> page);

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
  std::uint64_t bytes = 0;
  std::string hash;
  std::string where;
};

/// Returns the contents that `source` names. Throws Error if the file cannot be read, lacks pages, or has
/// changed pages.
std::vector<std::uint8_t> read_pages(const PageSource& source);

}  // namespace heddle::launch

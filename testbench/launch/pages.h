#pragma once

// Memory images as pages that are stored by content: equal pages of all launches of a capture stand in one file once.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::launch {

inline constexpr std::size_t kPageBytes = 4096;

/// Pages that follow each other in the file.
struct PageRun {
  std::uint64_t first = 0, count = 0;
};

/// What tells one page from another; equal keys are taken for equal pages.
struct PageKey {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const PageKey&) const = default;
};
/// Of at most kPageBytes; a shorter one is as if zeros followed.
PageKey key_of(std::span<const std::uint8_t> page);

/// The keys of a buffer's pages in their order, as one number.
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
  std::uint64_t bytes = 0;  ///< the last page may be cut off
  std::string hash;         ///< PagesHash::text()
  std::string where;
};

/// Throws Error for a file that cannot be read, has not the pages, or holds others than were stored.
std::vector<std::uint8_t> read_pages(const PageSource& source);

}  // namespace heddle::launch

#pragma once

// The container of a pack: a tar archive, compressed with gzip, by libarchive. `tar -tf my.heddle` lists it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/pack/pack_list.h"

struct archive;

namespace heddle::pack {

/// A file that goes into a pack: bytes in memory, or a file that is read twice (for the list, and for the
/// archive).
struct Entry {
  std::string name;    ///< path in the pack
  std::string source;  ///< path of the file; empty: `text` holds the bytes
  std::string text;

  /// Throws Error if the source cannot be read.
  std::string bytes() const;
};

/// Writes an archive: the list, then the entries, which are in the order of list.files. Equal entries give
/// equal bytes: the archive holds no time, user or host. The file appears when it is complete. Throws Error if
/// it cannot be written, or if an entry differs from the list.
void write_archive(const std::string& path, const PackList& list, const std::vector<Entry>& entries);

/// Reads an archive from its first file to its last. Every function throws Error, which names the archive, for a
/// damaged one.
class ArchiveReader {
 public:
  /// Throws Error for a file that is no archive of this container.
  explicit ArchiveReader(const std::string& path);

  struct Member {
    std::string name;
    bool is_file = false;  ///< false: a folder, link or device
    std::uint64_t bytes = 0;
  };
  /// Goes to the next file. Returns false at the end.
  bool next(Member& member);
  /// Passes the bytes of the present file on in pieces, until `take` returns false.
  void read(const std::function<bool(std::string_view)>& take);

 private:
  struct Free {
    void operator()(archive* a) const;
  };
  std::string path_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace heddle::pack

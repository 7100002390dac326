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

/// A file that goes into a pack: bytes in memory, or a file on disk. A file is read twice, for the list of
/// hashes and for the archive.
struct Entry {
  std::string name;    ///< path of the file in the pack
  std::string source;  ///< path of the file on disk; empty: `text` holds the bytes
  std::string text;

  /// Returns the bytes of the entry. Throws Error if the file cannot be read.
  std::string bytes() const;
};

/// Writes an archive: the list of files, then the entries in the order of the list. Equal entries give equal
/// bytes, because the archive contains no time, user or host. The file gets its name when the file is
/// complete. Throws Error if the file cannot be written, or if an entry differs from the list.
void write_archive(const std::string& path, const PackList& list, const std::vector<Entry>& entries);

/// Reads an archive from its first file to its last. All functions throw Error, which names the archive, if
/// it is damaged.
class ArchiveReader {
 public:
  /// Opens an archive. Throws Error for a file of another format.
  explicit ArchiveReader(const std::string& path);

  struct Member {
    std::string name;
    bool is_file = false;  ///< False: the present entry is a folder, a link or a device.
    std::uint64_t bytes = 0;
  };
  /// Goes to the next file. Returns false at the end.
  bool next(Member& member);
  /// Passes the bytes of the present file to `take` in pieces, until `take` returns false.
  void read(const std::function<bool(std::string_view)>& take);

 private:
  struct Free {
    void operator()(archive* a) const;
  };
  std::string path_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace heddle::pack

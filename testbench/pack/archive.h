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

/// A file in a pack: bytes in memory, or a file on disk. A file on disk is read twice: for its hash, and for
/// the archive.
struct Entry {
  std::string name;
  std::string source;  ///< path of the file on disk; empty: `text` holds the bytes
  std::string text;

  std::string bytes() const;
};

/// Writes the list of files, and then the files (`entries`) in the order of the list. Equal files give an
/// archive of equal bytes, because the archive contains no time, user or host. Throws Error if the file
/// cannot be written, or if an entry differs from the list.
void write_archive(const std::string& path, const PackList& list, const std::vector<Entry>& entries);

/// Reads an archive from its first file to its last. If the archive is damaged, all functions throw Error,
/// which names the archive.
class ArchiveReader {
 public:
  /// Opens an archive. Throws Error for a file of another format.
  explicit ArchiveReader(const std::string& path);

  struct Member {
    std::string name;
    bool is_file = false;  ///< False: a folder, a link or a device.
    std::uint64_t bytes = 0;
  };
  bool next(Member& member);
  /// Passes the bytes of the current file to `take`, in pieces. Stops if `take` returns false.
  void read(const std::function<bool(std::string_view)>& take);

 private:
  struct Free {
    void operator()(archive* a) const;
  };
  std::string path_;
  std::unique_ptr<archive, Free> archive_;
};

}  // namespace heddle::pack

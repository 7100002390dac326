#pragma once

// Opens packs, which may come from untrusted sources. Nothing is written outside of the given folder, and no
// file becomes larger than the list in the pack states.

#include <memory>
#include <string>

#include "testbench/launch/temporary_folder.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

/// Returns true if the file is a pack, by its name or its first bytes.
bool is_pack(const std::string& file);

/// Writes the files of a pack into a folder, which must be missing or empty. Throws Error for a damaged pack,
/// an unlisted or missing file, a link, a wrong size or hash, and a full disk. After an error, some files may
/// be in the folder.
PackList unpack(const std::string& file, const std::string& folder);

/// A pack that is unpacked into a temporary folder, which the destructor removes.
class OpenedPack {
 public:
  /// Unpacks the pack `file` into a temporary folder. Throws Error in the same cases as unpack().
  explicit OpenedPack(std::string file);
  const PackList& list() const { return list_; }
  const std::string& file() const { return file_; }
  const std::string& folder() const { return folder_.path(); }
  std::string result() const { return folder_.path() + "/" + list_.result; }
  /// In `text`, replaces paths of files in the temporary folder by paths in the pack, such as
  /// "my.heddle/inputs/launch.json".
  std::string shown(const std::string& text) const;

 private:
  std::string file_;
  launch::TemporaryFolder folder_;
  PackList list_;
};

/// Throws Error if the pack contains no run, or if a repetition of the run would read or write files outside
/// of the pack. The error names the pack and the file.
void check_repeatable(const OpenedPack& pack);

}  // namespace heddle::pack

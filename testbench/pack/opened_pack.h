#pragma once

// Reads packs. A pack may come from anywhere: nothing is written outside of the given folder, and no file
// grows beyond the size in the pack's list.

#include <memory>
#include <string>

#include "testbench/launch/temporary_folder.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

/// Returns true if the name or the first bytes of a file are those of a pack.
bool is_pack(const std::string& file);

/// Writes the files of a pack and its list into a folder, which must be missing or empty, and returns the list. Throws Error
/// for a damaged pack, a file that is not in the list, a missing file, a link, a wrong size or hash, and for
/// files that do not fit on the disk. The folder may then hold some of the files.
PackList unpack(const std::string& file, const std::string& folder);

/// A pack in a temporary folder, which is removed with the object.
class OpenedPack {
 public:
  /// Throws the Errors of unpack().
  explicit OpenedPack(std::string file);
  const PackList& list() const { return list_; }
  const std::string& file() const { return file_; }             ///< path of the pack
  const std::string& folder() const { return folder_.path(); }  ///< the temporary folder
  /// Path of the result in the temporary folder.
  std::string result() const { return folder_.path() + "/" + list_.result; }
  /// Returns a text with paths of the temporary folder replaced by names for people:
  /// "my.heddle/inputs/launch.json".
  std::string shown(const std::string& text) const;

 private:
  std::string file_;
  launch::TemporaryFolder folder_;
  PackList list_;
};

/// Checks that a pack holds a run and everything that the run reads. Throws Error, which names the pack and the
/// file, for another kind of pack, and for a run that reads or writes a file outside of the pack.
void check_repeatable(const OpenedPack& pack);

}  // namespace heddle::pack

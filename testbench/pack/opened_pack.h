#pragma once

// Opens packs. A pack may come from an untrusted source: nothing is written outside of the given folder, and
// no file becomes larger than the list of the pack states.

#include <memory>
#include <string>

#include "testbench/launch/temporary_folder.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

/// Returns true if a file is a pack, by its name or its first bytes.
bool is_pack(const std::string& file);

/// Writes the files of a pack and its list into a folder and returns the list. The folder must be missing or
/// empty. Throws Error for a damaged pack, a file that is not in the list, a missing file, a link, a wrong
/// size or hash, and for files that do not fit on the disk. The folder may then hold some of the files.
PackList unpack(const std::string& file, const std::string& folder);

/// A pack that is unpacked into a temporary folder, which the destructor removes.
class OpenedPack {
 public:
  /// Unpacks the file into a temporary folder. Throws the Errors of unpack().
  explicit OpenedPack(std::string file);
  const PackList& list() const { return list_; }
  const std::string& file() const { return file_; }
  const std::string& folder() const { return folder_.path(); }
  /// path of the result file in the temporary folder
  std::string result() const { return folder_.path() + "/" + list_.result; }
  /// Returns a text in which paths of the temporary folder are replaced by paths in the pack, such as
  /// "my.heddle/inputs/launch.json".
  std::string shown(const std::string& text) const;

 private:
  std::string file_;
  launch::TemporaryFolder folder_;
  PackList list_;
};

/// Checks that a pack contains a run and all files that the run reads. Throws Error, which names the pack and the
/// file, for another kind of pack, and for a run that reads or writes a file outside of the pack.
void check_repeatable(const OpenedPack& pack);

}  // namespace heddle::pack

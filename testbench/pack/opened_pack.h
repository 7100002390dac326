#pragma once

// Opens packs, also from untrusted sources: nothing is written outside of the given folder, and no file
// becomes larger than the pack's list states.

#include <memory>
#include <string>

#include "testbench/launch/temporary_folder.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

/// Returns true for a pack, by the file's name or first bytes.
bool is_pack(const std::string& file);

/// Writes the files of a pack into a missing or empty folder. Throws Error for a damaged pack, an unlisted or
/// missing file, a link, a wrong size or hash, and a full disk; the folder may then hold some files.
PackList unpack(const std::string& file, const std::string& folder);

/// A pack that is unpacked into a temporary folder, which the destructor removes.
class OpenedPack {
 public:
  /// Throws the Errors of unpack().
  explicit OpenedPack(std::string file);
  const PackList& list() const { return list_; }
  const std::string& file() const { return file_; }
  const std::string& folder() const { return folder_.path(); }
  std::string result() const { return folder_.path() + "/" + list_.result; }
  /// Replaces paths of the temporary folder by paths in the pack, such as "my.heddle/inputs/launch.json".
  std::string shown(const std::string& text) const;

 private:
  std::string file_;
  launch::TemporaryFolder folder_;
  PackList list_;
};

/// Throws Error, which names the pack and the file, if the pack does not hold a run, or if its run reads or
/// writes other files.
void check_repeatable(const OpenedPack& pack);

}  // namespace heddle::pack

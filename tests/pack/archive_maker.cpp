#include "tests/pack/archive_maker.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

namespace heddle::test {
namespace {

struct FreeArchive {
  void operator()(archive* a) const { ::archive_write_free(a); }
};
struct FreeEntry {
  void operator()(archive_entry* e) const { ::archive_entry_free(e); }
};

la_ssize_t append(archive*, void* text, const void* data, std::size_t bytes) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(data), bytes);
  return static_cast<la_ssize_t>(bytes);
}

}  // namespace

std::string archive_of(const std::vector<ArchiveMember>& members) {
  std::string bytes;
  const std::unique_ptr<archive, FreeArchive> a(::archive_write_new());
  ::archive_write_set_format_pax_restricted(a.get());
  ::archive_write_add_filter_gzip(a.get());
  ::archive_write_set_bytes_in_last_block(a.get(), 1);
  ::archive_write_open(a.get(), &bytes, nullptr, append, nullptr);
  for (const ArchiveMember& member : members) {
    const std::unique_ptr<archive_entry, FreeEntry> entry(::archive_entry_new());
    ::archive_entry_set_pathname(entry.get(), member.name.c_str());
    ::archive_entry_set_perm(entry.get(), 0644);
    ::archive_entry_set_filetype(entry.get(), AE_IFREG);
    using Kind = ArchiveMember::Kind;
    if (member.kind == Kind::symbolic_link) {
      ::archive_entry_set_filetype(entry.get(), AE_IFLNK);
      ::archive_entry_set_symlink(entry.get(), member.text.c_str());
    } else if (member.kind == Kind::hard_link) {
      ::archive_entry_set_hardlink(entry.get(), member.text.c_str());
    } else if (member.kind == Kind::folder) {
      ::archive_entry_set_filetype(entry.get(), AE_IFDIR);
    }
    const bool file = member.kind == Kind::file;
    ::archive_entry_set_size(entry.get(), file ? static_cast<la_int64_t>(member.text.size()) : 0);
    ::archive_write_header(a.get(), entry.get());
    if (file) ::archive_write_data(a.get(), member.text.data(), member.text.size());
  }
  ::archive_write_close(a.get());
  return bytes;
}

}  // namespace heddle::test

#include "testbench/pack/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"

namespace heddle::pack {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr int kPermissions = 0644;

struct FreeEntry {
  void operator()(archive_entry* entry) const { ::archive_entry_free(entry); }
};
struct FreeWriter {
  void operator()(archive* a) const { ::archive_write_free(a); }
};

[[noreturn]] void fail(const std::string& path, archive* a) {
  const char* const reason = ::archive_error_string(a);
  throw Error(path,
              fmt::format("the pack is damaged: {}", reason ? printable(reason) : "no reason is known"));
}

la_ssize_t append(archive*, void* file, const void* data, std::size_t bytes) {
  static_cast<launch::NewFile*>(file)->write({static_cast<const char*>(data), bytes});
  return static_cast<la_ssize_t>(bytes);  // NewFile stores write errors; commit() reports them.
}

void add(archive* a, const std::string& path, const std::string& name, const std::string& bytes) {
  const std::unique_ptr<archive_entry, FreeEntry> header(::archive_entry_new());
  ::archive_entry_set_pathname(header.get(), name.c_str());
  ::archive_entry_set_size(header.get(), static_cast<la_int64_t>(bytes.size()));
  ::archive_entry_set_filetype(header.get(), AE_IFREG);
  ::archive_entry_set_perm(header.get(), kPermissions);
  ::archive_entry_set_mtime(header.get(), 0, 0);
  if (::archive_write_header(a, header.get()) != ARCHIVE_OK ||
      ::archive_write_data(a, bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
    throw Error(path, fmt::format("cannot pack {}: {}", name, ::archive_error_string(a)));
}

}  // namespace

std::string Entry::bytes() const { return source.empty() ? text : launch::read_binary(source); }

void write_archive(const std::string& path, const PackList& list, const std::vector<Entry>& entries) {
  launch::remove_left_over(path);
  launch::NewFile file(path);
  const std::unique_ptr<archive, FreeWriter> a(::archive_write_new());
  if (::archive_write_set_format_pax_restricted(a.get()) != ARCHIVE_OK ||
      ::archive_write_add_filter_gzip(a.get()) != ARCHIVE_OK ||
      ::archive_write_set_options(a.get(), "gzip:!timestamp") != ARCHIVE_OK ||
      ::archive_write_set_bytes_in_last_block(a.get(), 1) != ARCHIVE_OK ||
      ::archive_write_open(a.get(), &file, nullptr, append, nullptr) != ARCHIVE_OK)
    throw Error(path, fmt::format("cannot begin a pack: {}", ::archive_error_string(a.get())));
  add(a.get(), path, kListName, list_text(list));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string bytes = entries[i].bytes();
    if (launch::hash_of_text(bytes) != list.files[i].hash)
      throw Error(entries[i].source, "this file has changed while it was packed");
    add(a.get(), path, entries[i].name, bytes);
  }
  if (::archive_write_close(a.get()) != ARCHIVE_OK)
    throw Error(path, fmt::format("cannot end the pack: {}", ::archive_error_string(a.get())));
  file.commit();
}

void ArchiveReader::Free::operator()(archive* a) const { ::archive_read_free(a); }

ArchiveReader::ArchiveReader(const std::string& path) : path_(path), archive_(::archive_read_new()) {
  require_file(path);
  if (!std::filesystem::exists(path)) throw Error(path, "there is no such file", "a file of heddle pack");
  ::archive_read_support_filter_gzip(archive_.get());
  ::archive_read_support_format_tar(archive_.get());
  if (::archive_read_open_filename(archive_.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK)
    throw Error(path, "this is no pack of Heddle", "a file of heddle pack");
}

bool ArchiveReader::next(Member& member) {
  archive_entry* entry = nullptr;
  const int status = ::archive_read_next_header(archive_.get(), &entry);
  if (status == ARCHIVE_EOF) return false;
  if (status != ARCHIVE_OK) fail(path_, archive_.get());
  const char* const name = ::archive_entry_pathname(entry);
  member.name = name ? name : "";
  member.is_file = ::archive_entry_filetype(entry) == AE_IFREG && !::archive_entry_hardlink(entry) &&
                   !::archive_entry_symlink(entry);
  member.bytes = static_cast<std::uint64_t>(::archive_entry_size(entry));
  return true;
}

void ArchiveReader::read(const std::function<bool(std::string_view)>& take) {
  std::array<char, kBlockBytes> block;
  while (true) {
    const la_ssize_t bytes = ::archive_read_data(archive_.get(), block.data(), block.size());
    if (bytes < 0) fail(path_, archive_.get());
    if (bytes == 0 || !take({block.data(), static_cast<std::size_t>(bytes)})) return;
  }
}

}  // namespace heddle::pack

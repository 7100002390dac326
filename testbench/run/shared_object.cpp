#include "testbench/run/shared_object.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::run {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr const char* kAllowed = "a shared object built against Heddle's headers";

class SharedObject {
 public:
  SharedObject(const std::string& path, std::string where)
      : where_(std::move(where)), bytes_(read_whole_file(path, "this file", kMostBytes)) {
    constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (bytes_.size() < sizeof head_ || bytes_.compare(0, SELFMAG, ELFMAG) != 0)
      throw Error(where_, "is no shared object", kAllowed);
    std::memcpy(&head_, bytes_.data(), sizeof head_);
    if (head_.e_ident[EI_CLASS] != kClass || head_.e_type != ET_DYN ||
        head_.e_phentsize != sizeof(ElfW(Phdr)))
      throw Error(where_, "is no shared object for this machine", kAllowed);
    // Check that the file contains all its segments: for a truncated file, the loader would map pages beyond
    // the end of the file.
    check(head_.e_phoff, std::uint64_t{head_.e_phnum} * sizeof(ElfW(Phdr)));
    check(head_.e_shoff, std::uint64_t{head_.e_shnum} * head_.e_shentsize);
    for (unsigned s = 0; s < head_.e_phnum; ++s) {
      const ElfW(Phdr) segment = this->segment(s);
      if (segment.p_type != PT_NULL) check(segment.p_offset, segment.p_filesz);
    }
  }

  std::vector<std::string> interfaces() const {
    std::vector<std::string> all;
    for (unsigned s = 0; s < head_.e_phnum; ++s)
      if (const ElfW(Phdr) notes = segment(s); notes.p_type == PT_NOTE)
        read_notes(std::string_view(bytes_).substr(notes.p_offset, notes.p_filesz), all);
    return all;
  }

 private:
  void check(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > bytes_.size() || bytes > bytes_.size() - offset)
      throw Error(where_,
                  fmt::format("is cut short: it has {} bytes and says that it has more", bytes_.size()),
                  kAllowed);
  }

  ElfW(Phdr) segment(unsigned number) const {
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes_.data() + head_.e_phoff + number * sizeof segment, sizeof segment);
    return segment;
  }

  // Reads the notes of an ELF file. Each note has the length of its name, the length of its text, a type,
  // then name and text, both padded to words.
  static void read_notes(std::string_view notes, std::vector<std::string>& interfaces) {
    constexpr std::string_view kName{"Heddle\0", 7};
    const auto words = [](std::uint32_t bytes) { return (std::uint64_t{bytes} + 3) / 4 * 4; };
    std::uint32_t head[3];
    while (notes.size() >= sizeof head) {
      std::memcpy(head, notes.data(), sizeof head);
      const std::uint64_t text = sizeof head + words(head[0]), end = text + words(head[1]);
      if (end > notes.size()) return;
      if (notes.substr(sizeof head, head[0]).starts_with(kName)) {
        const std::string_view found = notes.substr(text, head[1]);
        interfaces.emplace_back(found.substr(0, found.find('\0')));
      }
      notes.remove_prefix(end);
    }
  }

  std::string where_, bytes_;
  ElfW(Ehdr) head_{};
};

}  // namespace

std::vector<std::string> interfaces_of(const std::string& path, const std::string& where) {
  return SharedObject(path, where).interfaces();
}

}  // namespace heddle::run

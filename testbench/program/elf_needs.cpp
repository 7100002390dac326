#include "testbench/program/elf_needs.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace heddle::program {
namespace {

// Names are cut at this length in bytes; no loader accepts longer names.
constexpr std::size_t kLongestName = 4096;

/// Bytes of a file that may be malformed. Reads beyond the file's end return zeros.
class File {
 public:
  explicit File(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::uint64_t bytes() const { return bytes_.size(); }
  template <class T>
  T at(std::uint64_t offset) const {
    T value{};
    if (offset <= bytes_.size() && sizeof value <= bytes_.size() - offset)
      std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string name = bytes_.substr(offset, kLongestName);
    return name.substr(0, name.find('\0'));
  }

 private:
  std::string bytes_;
};

}  // namespace

std::optional<ElfNeeds> read_elf_needs(const std::string& path) {
  const File file(path);
  const auto header = file.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  const auto section = [&](unsigned i) {
    return file.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize);
  };
  const auto names = section(header.e_shstrndx);
  ElfNeeds needs;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto s = section(i);
    if (file.text(names.sh_offset + s.sh_name).find("nv_fatbin") != std::string::npos && s.sh_size != 0)
      needs.has_fat_binary = true;
    if (s.sh_type != SHT_DYNAMIC || !needs.libraries.empty()) continue;
    const auto strings = section(s.sh_link);
    const std::uint64_t size = std::min(s.sh_size, file.bytes());
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= size; at += sizeof(Elf64_Dyn)) {
      const auto entry = file.at<Elf64_Dyn>(s.sh_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED)
        needs.libraries.push_back(file.text(strings.sh_offset + entry.d_un.d_val));
    }
  }
  return needs;
}

}  // namespace heddle::program

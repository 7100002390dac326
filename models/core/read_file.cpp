#include "models/core/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "models/core/error.h"

namespace heddle {
namespace {

constexpr std::size_t kLongestWord = 160;
constexpr std::size_t kLongestText = 6000;

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int number;
};

std::string shorten(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t tail = most / 4;
  return text.substr(0, most - tail) + fmt::format("...({} more)...", text.size() - most) +
         text.substr(text.size() - tail);
}

/// Returns the length in bytes of the UTF-8 character at position `at`, or 0 if it is not valid.
std::size_t character_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(at);
  const std::size_t bytes = first < 0x80                    ? 1
                            : first >= 0xc2 && first < 0xe0 ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  return bytes;
}

}  // namespace

void require_file(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) throw Error(path, "is a folder", "a file");
  if (std::filesystem::exists(path, ec) && !std::filesystem::is_regular_file(path, ec))
    throw Error(path, "is a pipe or a device", "a file");
}

std::string read_whole_file(const std::string& path, const std::string& what, std::uint64_t most_bytes) {
  require_file(path);
  std::error_code ec;
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto fail = [&] { throw Error(path, "cannot read " + what + ": " + std::strerror(errno)); };
  if (in.number < 0) fail();
  const auto too_large = [&] {
    return Error(path, fmt::format("{} is larger than {} bytes", what, most_bytes),
                 "a file that is no larger");
  };
  std::string text;
  // Reads until the end of the file instead of a number of bytes, because the reported size may be wrong, for
  // example 0 in /proc.
  constexpr std::size_t kLeast = std::size_t{1} << 12, kChunk = std::size_t{1} << 20;
  std::size_t chunk = kChunk;
  if (const auto size = std::filesystem::file_size(path, ec); !ec) {
    if (size > most_bytes) throw too_large();
    chunk = std::max(static_cast<std::size_t>(size) + 1, kLeast);
  }
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + chunk);
    const ssize_t taken = ::read(in.number, text.data() + before, chunk);
    if (taken < 0 && errno != EINTR) fail();
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(taken, 0)));
    if (text.size() > most_bytes) throw too_large();
    if (taken == 0) break;
    chunk = static_cast<std::size_t>(taken) == chunk ? kChunk : kLeast;
  }
  return text;
}

std::string read_text_file(const std::string& path, const std::string& what) {
  std::string text = read_whole_file(path, what, kMostTextBytes);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

std::string printable(const std::string& text) {
  std::string line, word;
  const auto end_word = [&] {
    line += shorten(word, kLongestWord);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_at(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == ' ' || c == '\n') {
      end_word();
      line += text[i];
    } else if (bytes == 0 || c < 0x20 || c == 0x7f) {
      word += fmt::format("\\x{:02x}", c);
    } else {
      word += text.substr(i, bytes);
    }
    i += bytes == 0 ? 1 : bytes;
  }
  end_word();
  return shorten(line, kLongestText);
}

std::string on_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
  return text;
}

}  // namespace heddle

#include "models/core/paged_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace heddle {
namespace {

constexpr std::uint64_t kPageOfFile = std::uint64_t{1} << 61, kSwapped = std::uint64_t{1} << 62,
                        kPresent = std::uint64_t{1} << 63;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool is_zero(const std::uint8_t* bytes, std::size_t count) {
  return count == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

void advise_unneeded(std::uint8_t* at, std::size_t bytes) {
  if (madvise(at, bytes, MADV_DONTNEED) != 0) throw std::bad_alloc();
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

// The anonymous file in which copies of device memory share chunks (pieces of 1 MiB). The file belongs to one
// process. A process made by fork() does not use the file, because it must not change the parent's chunks.
class ChunkFile {
 public:
  static ChunkFile& instance() {
    static ChunkFile* const file =
        new ChunkFile;  // never deleted: static objects may still hold chunks at exit
    return *file;
  }
  bool usable() const { return file_ >= 0 && getpid() == owner_; }
  int descriptor() const { return file_; }
  // Descriptor of /proc/self/pagemap, the list of this process's pages; -1: not available
  int pages() const { return usable() ? pages_ : -1; }

  std::uint64_t take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return chunks_++ * PagedBytes::kChunkBytes;
    const std::uint64_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void give_back(std::uint64_t place) {
    if (!usable()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
#ifdef __linux__
    (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place),
                    PagedBytes::kChunkBytes);
#endif
    free_.push_back(place);
  }
  bool write(std::uint64_t place, const std::uint8_t* bytes, std::size_t count) const {
    while (count != 0) {
      const ssize_t done = pwrite(file_, bytes, count, static_cast<off_t>(place));
      if (done <= 0) return false;
      bytes += done;
      place += static_cast<std::uint64_t>(done);
      count -= static_cast<std::size_t>(done);
    }
    return true;
  }
  bool reach(std::uint64_t place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint64_t end = place + PagedBytes::kChunkBytes;
    if (end > length_ && ftruncate(file_, static_cast<off_t>(end)) != 0) return false;
    length_ = std::max(length_, end);
    return true;
  }

 private:
  ChunkFile() : owner_(getpid()) {
#ifdef __linux__
    file_ = memfd_create("heddle-memory", MFD_CLOEXEC);
    pages_ = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
#endif
  }
  pid_t owner_;
  int file_ = -1, pages_ = -1;
  std::mutex mutex_;
  std::uint64_t chunks_ = 0, length_ = 0;
  std::vector<std::uint64_t> free_;
};

}  // namespace

struct PagedBytes::Chunk {
  Chunk() : place(ChunkFile::instance().take()) {}
  ~Chunk() { ChunkFile::instance().give_back(place); }
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  std::uint64_t place;
};

PagedBytes::PagedBytes(std::size_t bytes) { allocate(bytes); }

PagedBytes::PagedBytes(const PagedBytes& other) {
  allocate(other.size_);
  copy_bytes(other);
}

PagedBytes& PagedBytes::operator=(const PagedBytes& other) {
  if (this == &other) return *this;
  if (size_ != other.size_) {
    release();
    allocate(other.size_);
  }
  copy_bytes(other);
  return *this;
}

PagedBytes& PagedBytes::operator=(const std::vector<std::uint8_t>& bytes) {
  release();
  allocate(bytes.size());
  for (std::size_t at = 0; at < size_; at += page_bytes()) {
    const std::size_t count = std::min(page_bytes(), size_ - at);
    if (!is_zero(bytes.data() + at, count)) std::memcpy(data_ + at, bytes.data() + at, count);
  }
  return *this;
}

PagedBytes::~PagedBytes() { release(); }

bool PagedBytes::operator==(const PagedBytes& other) const {
  return size_ == other.size_ && std::equal(begin(), end(), other.begin());
}

void PagedBytes::allocate(std::size_t bytes) {
  size_ = bytes;
  if (bytes < kChunkBytes) {
    few_.resize(bytes);
    data_ = few_.data();
    return;
  }
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::uint8_t*>(at);
  chunks_.resize(chunks());
}

void PagedBytes::release() {
  if (!chunks_.empty()) munmap(data_, size_);
  chunks_.clear();
  few_.clear();
  data_ = nullptr;
  size_ = 0;
}

std::size_t PagedBytes::bytes_of(std::size_t chunk) const {
  return std::min(kChunkBytes, size_ - chunk * kChunkBytes);
}

void PagedBytes::copy_bytes(const PagedBytes& other) {
  if (chunks_.empty()) {
    std::copy(other.begin(), other.end(), begin());
    return;
  }
  const std::vector<bool> still_written = other.settle_written();
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const std::shared_ptr<Chunk>& from = other.chunks_[i];
    std::uint8_t* const at = data_ + i * kChunkBytes;
    if (chunks_[i] != from && !map(i, from)) throw std::bad_alloc();
    chunks_[i] = from;
    advise_unneeded(at, whole_pages(bytes_of(i)));
    if (still_written[i]) std::memcpy(at, other.data_ + i * kChunkBytes, bytes_of(i));
  }
}

bool PagedBytes::map(std::size_t chunk, const std::shared_ptr<Chunk>& from) const {
  const int flags = MAP_PRIVATE | MAP_FIXED | (from ? 0 : MAP_ANONYMOUS);
  return mmap(data_ + chunk * kChunkBytes, bytes_of(chunk), PROT_READ | PROT_WRITE, flags,
              from ? ChunkFile::instance().descriptor() : -1,
              from ? static_cast<off_t>(from->place) : 0) != MAP_FAILED;
}

// Returns, for each chunk (1 MiB), true if the chunk may have pages that were written since the last
// settle(). If the operating system does not list written pages, returns true for all chunks.
std::vector<bool> PagedBytes::written() const {
  std::vector<bool> found(chunks_.size(), true);
  const int pages = ChunkFile::instance().pages();
  if (pages < 0) return found;
  std::vector<std::uint64_t> entries(kChunkBytes / page_bytes());
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const std::size_t bytes = whole_pages(bytes_of(i)) / page_bytes() * sizeof(std::uint64_t);
    const std::size_t first = (reinterpret_cast<std::uintptr_t>(data_) + i * kChunkBytes) / page_bytes();
    const ssize_t done =
        pread(pages, entries.data(), bytes, static_cast<off_t>(first * sizeof(std::uint64_t)));
    if (done != static_cast<ssize_t>(bytes)) return found;
    found[i] = std::any_of(entries.begin(),
                           entries.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(std::uint64_t)),
                           [](std::uint64_t e) { return (e & (kPresent | kSwapped)) && !(e & kPageOfFile); });
  }
  return found;
}

void PagedBytes::settle() const {
  if (!chunks_.empty()) settle_written();
}

// Moves the written pages of all chunks into the shared file. Returns, for each chunk, true if its written
// pages could not be moved.
std::vector<bool> PagedBytes::settle_written() const {
  std::vector<bool> left = written();
  if (ChunkFile::instance().pages() < 0) return left;
  for (std::size_t i = 0; i < chunks_.size() && settle_chunk(i, left[i]); ++i) left[i] = false;
  return left;
}

// Writes chunk i to the shared file, so that copies of this object share the file's pages instead of copying
// them. If another PagedBytes uses the chunk's position in the file, the chunk is written to a new position.
// `written`: true if the chunk has changed since it was last written to the file. Returns false if the file
// cannot hold the chunk.
bool PagedBytes::settle_chunk(std::size_t i, bool written) const {
  std::uint8_t* const at = data_ + i * kChunkBytes;
  const std::size_t bytes = bytes_of(i);
  if (written && (chunks_[i] || !is_zero(at, bytes))) {
    ChunkFile& file = ChunkFile::instance();
    std::shared_ptr<Chunk> to = chunks_[i];
    if (!to || to.use_count() > 1) to = std::make_shared<Chunk>();
    if (!file.reach(to->place) || !file.write(to->place, at, bytes)) return false;
    if (to != chunks_[i] && !map(i, to)) return false;
    chunks_[i] = std::move(to);
  }
  advise_unneeded(at, whole_pages(bytes));
  return true;
}

std::vector<bool> PagedBytes::shared_with(const PagedBytes& other) const {
  std::vector<bool> shared(chunks(), false);
  if (chunks_.empty()) return shared;
  const std::vector<bool> written_here = written(), written_there = other.written();
  for (std::size_t i = 0; i < shared.size(); ++i)
    shared[i] = chunks_[i] == other.chunks_[i] && !written_here[i] && !written_there[i];
  return shared;
}

}  // namespace heddle

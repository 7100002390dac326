// Library for LD_PRELOAD that replaces malloc and write. The n-th call of malloc (FAIL_MALLOC=n) or of write
// (FAIL_WRITE=n) fails. With FAIL_ALL, all later calls fail too. COUNT_CALLS names a file into which the
// library writes how often each function was called.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(std::size_t);

namespace {

std::atomic<long> mallocs = 0, writes = 0;
long malloc_at = -1, write_at = -1;
bool all = false;

void read_settings() {
  const char *const m = std::getenv("FAIL_MALLOC"), *const w = std::getenv("FAIL_WRITE");
  all = std::getenv("FAIL_ALL") != nullptr;
  malloc_at = m ? std::atol(m) : 0;
  write_at = w ? std::atol(w) : 0;
}

bool fails(std::atomic<long>& count, long at) {
  const long now = ++count;
  return at > 0 && (all ? now >= at : now == at);
}

// Writes to standard output and standard error never fail, because the test reads them.
bool write_fails(int file) {
  if (write_at < 0) read_settings();
  if (file <= STDERR_FILENO || !fails(writes, write_at)) return false;
  errno = ENOSPC;
  return true;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
  if (malloc_at < 0) read_settings();
  if (fails(mallocs, malloc_at)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(bytes);
}

ssize_t write(int file, const void* data, std::size_t bytes) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  return write_fails(file) ? -1 : real(file, data, bytes);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
  return write_fails(file) ? -1 : real(file, parts, count);
}

ssize_t pwrite(int file, const void* data, std::size_t bytes, off_t at) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return write_fails(file) ? -1 : real(file, data, bytes, at);
}

__attribute__((destructor)) static void say() {
  const char* const file = std::getenv("COUNT_CALLS");
  char text[64] = "";
  if (!file) return;
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::snprintf(text, sizeof text, "%ld %ld\n", mallocs.load(), writes.load());
  malloc_at = write_at = 0;
  if (opened >= 0 && ::write(opened, text, std::strlen(text)) >= 0) ::close(opened);
}
}

#pragma once

// For threads that wait for each other for less than the scheduler of the host takes.

#include <atomic>

namespace heddle {

/// One turn of a loop that waits for another thread.
inline void spin() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A lock that is held for some instructions; for std::unique_lock.
class SpinLock {
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire)) spin();
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_;
};

}  // namespace heddle

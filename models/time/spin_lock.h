#pragma once

// Lets host threads wait by spinning, for waits that are shorter than a thread switch by the operating
// system.

#include <atomic>

namespace heddle {

inline void spin() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Lock for critical sections of a few instructions, for use with std::unique_lock.
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

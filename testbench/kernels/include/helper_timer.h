// SPDX-License-Identifier: Apache-2.0
// Replaces the CUDA samples' header of this name in sources that scripts/heddle-cc compiles: timers of the
// host.
#pragma once

#include <time.h>

/// Milliseconds of the host's clock between start and stop: `last` interval, and `total` of all intervals.
struct StopWatchInterface {
  double started = 0, last = 0, total = 0;
  int turns = 0;
  bool running = false;

  static double now() {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
  }
  void start() {
    started = now();
    running = true;
  }
  void stop() {
    last = now() - started;
    total += last;
    ++turns;
    running = false;
  }
  void reset() {
    last = total = 0;
    turns = 0;
    if (running) started = now();
  }
  float getTime() const { return (float)(running ? total + now() - started : total); }
  float getAverageTime() const { return turns ? (float)(total / turns) : 0.f; }
};

// Each function returns true if there is a timer.
static inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  const bool there = *timer;
  delete *timer;
  *timer = nullptr;
  return there;
}
static inline bool sdkStartTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->start();
  return *timer;
}
static inline bool sdkStopTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->stop();
  return *timer;
}
static inline bool sdkResetTimer(StopWatchInterface** timer) {
  if (*timer) (*timer)->reset();
  return *timer;
}
static inline float sdkGetTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getTime() : -1; }
static inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return *timer ? (*timer)->getAverageTime() : 0;
}

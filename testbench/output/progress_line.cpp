#include "testbench/output/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <utility>

namespace heddle::output {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kRedraw = std::chrono::milliseconds(250);
constexpr const char* kErase = "\r\x1b[K";

// Writes directly, without stdio: if the process forks during the write, the child would inherit a locked
// stream.
void put(const std::string& text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::size_t columns() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) {
  if (!wanted || !::isatty(STDERR_FILENO)) return;
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kRedraw, [this] { return ends_; })) draw();
  });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  clear();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void ProgressLine::say(std::string text) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  if (text_.empty() && std::exchange(drawn_, false)) put(kErase);
}

void ProgressLine::draw() {
  const auto passed = Clock::now() - start_;
  if (text_.empty() || passed < kPatience) return;
  const std::string line = fmt::format("{} ({:.0f} s)", text_, std::chrono::duration<double>(passed).count());
  // Move the cursor back to the beginning of the line, so that other output overwrites this line.
  put(kErase + line.substr(0, columns() - 1) + "\r");
  drawn_ = true;
}

}  // namespace heddle::output

// Writes a timeline as JSON. The text has hundreds of thousands of lines. To save host time, the code parses
// no format strings, and uses counting sort.

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "testbench/output/profile_counts.h"
#include "testbench/output/timeline.h"

namespace heddle::output {
namespace {

// Thread numbers in the trace file: the CTA slots of an SM are numbered from kCtaTracks on. Lower numbers are
// warp slots.
constexpr std::size_t kCtaTracks = 1000;
constexpr std::size_t kLineBytes = 120;

void put(std::string& text, std::string_view piece) { text += piece; }
void put(std::string& text, std::uint64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

template <class... Pieces>
void put_line(std::string& text, const Pieces&... pieces) {
  (put(text, pieces), ...);
}

template <class Item, class KeyOf>
std::vector<const Item*> by_key(const std::vector<Item>& items, std::size_t keys, const KeyOf& key_of) {
  std::vector<std::size_t> next(keys + 1);
  for (const Item& item : items) ++next[key_of(item) + 1];
  for (std::size_t key = 0; key < keys; ++key) next[key + 1] += next[key];
  std::vector<const Item*> ordered(items.size());
  for (const Item& item : items) ordered[next[key_of(item)]++] = &item;
  return ordered;
}

}  // namespace

const char* TimelineRecorder::state_name(WarpActivity activity) {
  if (activity == WarpActivity::draining) return "draining";
  return is_wait(activity) && activity != WarpActivity::ready ? name_of(reason_of(activity)) : "running";
}

// Returns the number of a slice's track. Track 0 is for launches; then come the warp slots and CTA slots of
// each SM.
std::size_t TimelineRecorder::track_of(const Slice& slice) const {
  if (slice.kind == Kind::launch) return 0;
  const std::size_t first = 1 + slice.sm * (warp_slots_ + cta_slots_);
  return first + (slice.kind == Kind::cta ? warp_slots_ : 0) + slice.track;
}

void TimelineRecorder::put_labels(std::string& text, const std::vector<const Slice*>& slices) const {
  const auto label = [&](const char* what, unsigned process, std::size_t thread, const std::string& name) {
    text +=
        fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}},\n",
                    what, process, thread, name);
  };
  label("process_name", 0, 0, "GPU");
  label("thread_name", 0, 0, "launches");
  const Slice* before = nullptr;
  for (const Slice* slice : slices) {
    if (slice->kind == Kind::launch || (before && track_of(*slice) == track_of(*before))) continue;
    const unsigned process = slice->sm + 1u;
    if (!before || before->sm != slice->sm)
      label("process_name", process, 0, fmt::format("SM {}", slice->sm));
    if (slice->kind == Kind::cta)
      label("thread_name", process, kCtaTracks + slice->track, fmt::format("CTA slot {}", slice->track));
    else
      label("thread_name", process, slice->track, fmt::format("warp slot {:02}", slice->track));
    before = slice;
  }
}

void TimelineRecorder::put(std::string& text, const Slice& slice) const {
  const std::uint64_t process = slice.kind == Kind::launch ? 0 : slice.sm + 1u;
  const std::uint64_t thread = slice.track + (slice.kind == Kind::cta ? kCtaTracks : 0);
  if (slice.kind == Kind::wait)
    put_line(text, R"({"ph":"X","cat":"state","name":")",
             state_name(static_cast<WarpActivity>(slice.activity)));
  else if (slice.kind == Kind::warp)
    put_line(text, R"({"ph":"X","cat":"warp","name":"CTA )", slice.a, " warp ", slice.b);
  else if (slice.kind == Kind::cta)
    put_line(text, R"({"ph":"X","cat":"cta","name":"CTA )", slice.a);
  else
    put_line(text, R"({"ph":"X","cat":"launch","name":")", kernels_[slice.kernel]);
  put_line(text, R"(","pid":)", process, R"(,"tid":)", thread, R"(,"ts":)", slice.begin, R"(,"dur":)",
           slice.end - slice.begin, R"(,"args":{)");
  if (slice.kind != Kind::wait)
    put_line(text, R"("launch":)", slice.kernel, R"(,"kernel":")", kernels_[slice.kernel], "\"");
  text += "}},\n";
}

void TimelineRecorder::put(std::string& text, const Value& value) const {
  put_line(text, R"({"ph":"C","name":")", names_[value.name], R"(","pid":)", value.process,
           R"(,"tid":0,"ts":)", value.cycle, R"(,"args":{"value":)");
  const bool whole =
      !std::signbit(value.value) && value.value < 1e6 && value.value == std::floor(value.value);
  if (whole)
    put_line(text, static_cast<std::uint64_t>(value.value));
  else
    text += fmt::format("{:.6g}", value.value);
  text += "}},\n";
}

std::string TimelineRecorder::make_json() const {
  // Sort by track. Slices of one track keep the order of recording, which is independent of module order.
  const std::vector<const Slice*> slices = by_key(slices_, 1 + observers_.size() * (warp_slots_ + cta_slots_),
                                                  [this](const Slice& slice) { return track_of(slice); });
  const std::vector<const Value*> values =
      by_key(values_, (1 + observers_.size()) * names_.size(),
             [this](const Value& value) { return value.process * names_.size() + value.name; });
  std::string text = fmt::format(
      "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"unit\":\"1 us = 1 "
      "cycle\",\"complete\":{}{}}},\n\"traceEvents\":[\n",
      !full_, full_ ? fmt::format(",\"slices_missing_from_cycle\":{}", full_at_) : "");
  text.reserve(kLineBytes * (slices.size() + values.size()));
  put_labels(text, slices);
  for (const Slice* slice : slices) put(text, *slice);
  for (const Value* value : values) put(text, *value);
  text.resize(text.size() - 2);
  text += "\n]}\n";
  return text;
}

}  // namespace heddle::output

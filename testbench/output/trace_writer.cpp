#include "testbench/output/trace_writer.h"

#include <perfetto_trace.pb.h>

#include <map>

namespace heddle::output {
namespace {

namespace pb = perfetto::protos;

constexpr std::uint64_t kNanosecondsPerCycle = 1000;
// Flags of a packet. kFirst: the packet is the first of its sequence. kUsesTexts: the packet refers to texts
// of earlier packets.
constexpr std::uint32_t kFirst = 1, kUsesTexts = 2;

}  // namespace

struct TraceWriter::Messages {
  // A trace with one packet. Each event is written as such a trace. Perfetto reads a file of many traces in a
  // row as one trace.
  pb::Trace trace;
  pb::TracePacket* packet = nullptr;
  /// number of each text in the trace. Each kind of text (category, name, ...) is numbered separately, from
  /// 1.
  std::map<std::string, std::uint64_t> categories, names, arguments, texts;

  pb::TracePacket& open(bool first) {
    trace.Clear();
    packet = trace.add_packet();
    packet->set_trusted_packet_sequence_id(1);
    packet->set_sequence_flags(first ? kFirst | kUsesTexts : kUsesTexts);
    return *packet;
  }
  // Returns the number of a text. If the text is new, calls `add` with the packet's interned data, to which
  // `add` must add the text.
  template <class Add>
  std::uint64_t number(std::map<std::string, std::uint64_t>& numbers, const std::string& text, Add&& add) {
    const auto [at, is_new] = numbers.emplace(text, numbers.size() + 1);
    if (is_new) add(*packet->mutable_interned_data());
    return at->second;
  }
  template <class Message>
  static void fill(Message* message, std::uint64_t iid, const std::string& text) {
    message->set_iid(iid);
    message->set_name(text);
  }
  void fill(pb::TrackEvent& to, const TraceEvent& event) {
    to.add_category_iids(number(categories, event.category, [&](pb::InternedData& data) {
      fill(data.add_event_categories(), categories.size(), event.category);
    }));
    to.set_name_iid(number(names, event.name, [&](pb::InternedData& data) {
      fill(data.add_event_names(), names.size(), event.name);
    }));
    for (const TraceArgument& argument : event.arguments) {
      pb::DebugAnnotation& annotation = *to.add_debug_annotations();
      annotation.set_name_iid(number(arguments, argument.name, [&](pb::InternedData& data) {
        fill(data.add_debug_annotation_names(), arguments.size(), argument.name);
      }));
      if (argument.text.empty()) {
        annotation.set_uint_value(argument.number);
        continue;
      }
      annotation.set_string_value_iid(number(texts, argument.text, [&](pb::InternedData& data) {
        pb::InternedString& text = *data.add_debug_annotation_string_values();
        text.set_iid(texts.size());
        text.set_str(argument.text);
      }));
    }
    for (const std::uint64_t flow : event.flows_from) to.add_flow_ids(flow);
    for (const std::uint64_t flow : event.flows_to) to.add_terminating_flow_ids(flow);
  }
};

TraceWriter::TraceWriter() : messages_(std::make_unique<Messages>()) {}
TraceWriter::~TraceWriter() = default;

void TraceWriter::append() { messages_->trace.AppendToString(&bytes_); }

TraceWriter::Track TraceWriter::add_process(int number, const std::string& name) {
  pb::TrackDescriptor& track = *messages_->open(bytes_.empty()).mutable_track_descriptor();
  track.set_uuid(++tracks_);
  track.mutable_process()->set_pid(number);
  track.mutable_process()->set_process_name(name);
  append();
  return tracks_;
}

TraceWriter::Track TraceWriter::add_track(Track process, const std::string& name) {
  pb::TrackDescriptor& track = *messages_->open(bytes_.empty()).mutable_track_descriptor();
  track.set_uuid(++tracks_);
  track.set_parent_uuid(process);
  track.set_name(name);
  append();
  return tracks_;
}

TraceWriter::Track TraceWriter::add_counter(Track process, const std::string& name) {
  pb::TrackDescriptor& track = *messages_->open(bytes_.empty()).mutable_track_descriptor();
  track.set_uuid(++tracks_);
  track.set_parent_uuid(process);
  track.set_name(name);
  track.mutable_counter();
  append();
  return tracks_;
}

void TraceWriter::add(Track track, Cycle cycle, int type, const TraceEvent* event) {
  pb::TracePacket& packet = messages_->open(bytes_.empty());
  packet.set_timestamp(cycle * kNanosecondsPerCycle);
  pb::TrackEvent& to = *packet.mutable_track_event();
  to.set_type(static_cast<pb::TrackEvent::Type>(type));
  to.set_track_uuid(track);
  if (event) messages_->fill(to, *event);
  append();
}

void TraceWriter::begin(Track track, Cycle cycle, const TraceEvent& event) {
  add(track, cycle, pb::TrackEvent::TYPE_SLICE_BEGIN, &event);
}

void TraceWriter::end(Track track, Cycle cycle) {
  add(track, cycle, pb::TrackEvent::TYPE_SLICE_END, nullptr);
}

void TraceWriter::instant(Track track, Cycle cycle, const TraceEvent& event) {
  add(track, cycle, pb::TrackEvent::TYPE_INSTANT, &event);
}

void TraceWriter::value(Track counter, Cycle cycle, double value) {
  pb::TracePacket& packet = messages_->open(bytes_.empty());
  packet.set_timestamp(cycle * kNanosecondsPerCycle);
  packet.mutable_track_event()->set_type(pb::TrackEvent::TYPE_COUNTER);
  packet.mutable_track_event()->set_track_uuid(counter);
  packet.mutable_track_event()->set_double_counter_value(value);
  append();
}

}  // namespace heddle::output

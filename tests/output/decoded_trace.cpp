#include "tests/output/decoded_trace.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace heddle::output {
namespace {

struct Message {
  std::multimap<std::string, Message> fields;
  std::string value;
  const Message* field(const std::string& name) const {
    const auto at = fields.find(name);
    return at == fields.end() ? nullptr : &at->second;
  }
  std::string text(const std::string& name) const {
    const Message* const at = field(name);
    return at ? at->value : "";
  }
  std::uint64_t number(const std::string& name) const {
    const Message* const at = field(name);
    return at ? std::stoull(at->value) : 0;
  }
};

class OutputLines {
 public:
  explicit OutputLines(const std::string& command) : pipe_(::popen(command.c_str(), "r")) {}
  ~OutputLines() {
    if (pipe_) {
      EXPECT_EQ(::pclose(pipe_), 0) << "protoc fails or is missing";
    }
  }
  bool next(std::string& line) {
    line.clear();
    std::array<char, 4096> part;
    while (std::fgets(part.data(), part.size(), pipe_)) {
      line += part.data();
      if (!line.ends_with('\n')) continue;
      line.pop_back();
      line.erase(0, line.find_first_not_of(' '));
      return true;
    }
    return !line.empty();
  }

 private:
  std::FILE* pipe_;
};

std::string unquoted(const std::string& text) {
  if (!text.starts_with('"')) return text;
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    plain += text[i];
  }
  return plain;
}

Message read_message(OutputLines& lines) {
  Message message;
  for (std::string line; lines.next(line) && line != "}";) {
    if (line.ends_with(" {")) {
      message.fields.emplace(line.substr(0, line.size() - 2), read_message(lines));
    } else {
      const std::size_t colon = line.find(": ");
      message.fields.emplace(line.substr(0, colon), Message{{}, unquoted(line.substr(colon + 2))});
    }
  }
  return message;
}

class TraceReader {
 public:
  DecodedTrace read(const std::string& path) {
    const std::string folder = HEDDLE_SOURCE_FOLDER "/testbench/output";
    OutputLines lines("protoc --proto_path=" + folder +
                      " --decode=perfetto.protos.Trace perfetto_trace.proto <" + path);
    for (std::string line; lines.next(line);) {
      EXPECT_EQ(line, "packet {");
      take(read_message(lines));
    }
    for (const auto& [track, open] : open_)
      EXPECT_TRUE(open.empty()) << "a slice of " << names_[track] << " has no end";
    return std::move(trace_);
  }

 private:
  using Texts = std::map<std::uint64_t, std::string>;

  void take(const Message& packet) {
    if (const Message* data = packet.field("interned_data"))
      for (const auto& [kind, entry] : data->fields)
        texts_[kind][entry.number("iid")] =
            entry.text(kind == "debug_annotation_string_values" ? "str" : "name");
    if (const Message* track = packet.field("track_descriptor")) add_track(*track);
    if (const Message* event = packet.field("track_event")) add_event(*event, packet.number("timestamp"));
  }

  void add_track(const Message& track) {
    const std::uint64_t uuid = track.number("uuid");
    EXPECT_FALSE(names_.contains(uuid));
    const Message* const process = track.field("process");
    names_[uuid] = process ? process->text("process_name") : track.text("name");
    parents_[uuid] = process ? uuid : track.number("parent_uuid");
    EXPECT_TRUE(names_.contains(parents_[uuid])) << "a track before its process";
  }

  std::string text(const std::string& kind, std::uint64_t iid) {
    const auto at = texts_[kind].find(iid);
    EXPECT_NE(at, texts_[kind].end()) << kind << " " << iid;
    return at == texts_[kind].end() ? "" : at->second;
  }

  void add_event(const Message& event, std::uint64_t time) {
    EXPECT_EQ(time % 1000, 0u);
    const std::uint64_t cycle = time / 1000, track = event.number("track_uuid");
    const std::string type = event.text("type");
    EXPECT_TRUE(names_.contains(track)) << "an unknown track";
    EXPECT_GE(cycle, last_[track]) << names_[track];
    last_[track] = cycle;
    if (type == "TYPE_COUNTER") {
      trace_.counters[names_[track]].emplace_back(cycle, std::stod(event.text("double_counter_value")));
      return;
    }
    std::vector<std::size_t>& open = open_[track];
    if (type == "TYPE_SLICE_END") {
      ASSERT_FALSE(open.empty()) << names_[track];
      trace_.slices[open.back()].end = cycle;
      open.pop_back();
      return;
    }
    TraceSlice slice = slice_of(event, track, cycle);
    slice.depth = static_cast<int>(open.size());
    if (type == "TYPE_INSTANT") {
      trace_.instants.push_back(std::move(slice));
      return;
    }
    EXPECT_EQ(type, "TYPE_SLICE_BEGIN");
    open.push_back(trace_.slices.size());
    trace_.slices.push_back(std::move(slice));
  }

  TraceSlice slice_of(const Message& event, std::uint64_t track, std::uint64_t cycle) {
    TraceSlice slice;
    slice.process = names_[parents_[track]];
    slice.track = names_[track];
    slice.begin = cycle;
    slice.category = text("event_categories", event.number("category_iids"));
    slice.name = text("event_names", event.number("name_iid"));
    for (const auto& [kind, field] : event.fields) {
      if (kind == "flow_ids") slice.flows_from.push_back(std::stoull(field.value));
      if (kind == "terminating_flow_ids") slice.flows_to.push_back(std::stoull(field.value));
      if (kind != "debug_annotations") continue;
      const std::string name = text("debug_annotation_names", field.number("name_iid"));
      slice.arguments[name] = field.field("string_value_iid")
                                  ? text("debug_annotation_string_values", field.number("string_value_iid"))
                                  : field.text("uint_value");
    }
    return slice;
  }

  DecodedTrace trace_;
  std::map<std::string, Texts> texts_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, std::uint64_t> parents_, last_;
  std::map<std::uint64_t, std::vector<std::size_t>> open_;
};

}  // namespace

DecodedTrace decode_trace(const std::string& path) { return TraceReader().read(path); }

}  // namespace heddle::output

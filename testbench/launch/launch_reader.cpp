#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "models/isa/address_size.h"
#include "testbench/launch/capture_table.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

const TypeForm kNameForm("launch", "name", "/^[A-Za-z_][A-Za-z0-9_]*$/");
const TypeForm kExpressionForm("launch", "expression", "number|string",
                               "a number, or an expression over values and loop indices");
const TypeForm kAddressForm("launch", "address", "integer>=1");
const TypeForm kPagesForm("launch", "pages", "integer>=0[2][]",
                          "runs of pages of 4096 bytes: [first page, number of pages]");
const TypeForm kElementForm("launch", "element", "'u8'|'s8'|'u16'|'s16'|'u32'|'s32'|'u64'|'s64'|'f32'|'f64'");
const ObjectForm kToleranceForm("launch", "tolerance", "a tolerance",
                                {{"relative", "number>=0"}, {"absolute", "number>=0"}});
const ObjectForm kContentsForm("launch", "contents", "expected contents",
                               {{"pages!", "pages"}, {"hash!", "text"}});
const ObjectForm kPlacesForm("launch", "places", "the variables' places",
                             {{"global!", "address"}, {"constant!", "address"}});
const ObjectForm kBufferForm("launch", "buffer", "a buffer",
                             {{"type!", "element"},
                              {"count", "expression", "elements"},
                              {"init", "init"},
                              {"file", "path", ".npy, or raw little-endian elements"},
                              {"address", "address", "address of the buffer in the capture"},
                              {"variable", "text", "module-level variable that the buffer is"},
                              {"pages", "pages"},
                              {"hash", "text", "hash of the pages' contents"},
                              {"expected", "contents", "contents after the launch"}});
const ObjectForm kOutputForm("launch", "output", "an output",
                             {{"buffer", "text"},
                              {"symbol", "text"},
                              {"type", "element"},
                              {"count", "expression"},
                              {"offset_bytes", "expression"},
                              {"compare", "'exact'|tolerance"},
                              {"why", "text"},
                              {"compare_with_source", "'exact'|tolerance"}},
                             {{"buffer"}, {"symbol", "type"}});
const ObjectForm kLaunchForm(
    "launch", "", "a launch file",
    {{"$schema", "string"},
     {"format", "'1'"},
     {"description", "text"},
     {"ptx!", "path|path[1-]", "path of the PTX file, relative to this file's folder, or a list of them"},
     {"ptx_hash", "text|text[1-]", "FNV-1a hashes of the PTX files, which must then have these contents"},
     {"variables_at", "places", "first addresses of the module's variables (of a captured launch)"},
     {"pages", "path", "file with the pages of captured buffers"},
     {"values", "expression{}"},
     {"buffers", "buffer{}"},
     {"textures", "texture{}"},
     {"symbols", "(symbol|symbol[]){}"},
     {"steps!", "step[1-]"},
     {"outputs", "output[]"},
     {"depends_on", "('atomic-order'|'cta-order'|'time'|'placement')[]"},
     {"stack_bytes", "expression"},
     {"heap_bytes", "expression"}},
    {}, "The kernels that run, their PTX file and data, and how results are compared. See launch.md.");

constexpr int kLaunchFormat = 1;

class Reader {
 public:
  explicit Reader(std::string path) { file_.path = std::move(path); }

  LaunchFile read(const ConfigNode& root) {
    format_of(root, "a launch file", kLaunchFormat, kLaunchFormat, false);
    const ObjectReader top(root, kLaunchForm);
    file_.description = top.text("description", false);
    ptx(top.get("ptx"));
    if (const auto* node = top.find("ptx_hash")) ptx_hash(*node);
    if (const auto* node = top.find("variables_at")) variables_at(*node);
    if (top.has("pages")) file_.pages = context_.resolve(top.text("pages"));
    if (const auto* node = top.find("values")) values(*node);
    if (const auto* node = top.find("heap_bytes"))
      file_.variables_at.heap_bytes = static_cast<std::uint64_t>(context_.integer(*node).evaluate(
          file_.values, ptx::kLeastHeapBytes,
          static_cast<std::int64_t>(isa::most_heap_bytes(isa::kWideAddressBits))));
    if (const auto* node = top.find("buffers")) buffers(*node);
    if (const auto* node = top.find("textures")) textures(*node);
    if (const auto* node = top.find("symbols")) symbols(*node);
    file_.steps = read_steps(top.get("steps"), context_);
    outputs(top.find("outputs"));
    if (const auto* node = top.find("depends_on")) depends_on(*node);
    if (const auto* node = top.find("stack_bytes")) file_.stack_bytes = context_.integer(*node);
    return std::move(file_);
  }

 private:
  static std::vector<std::string> one_or_more(const ConfigNode& node) {
    if (!node.is_array()) return {ObjectReader::text_of(node)};
    std::vector<std::string> texts;
    for (const ConfigNode& item : node.items) texts.push_back(ObjectReader::text_of(item));
    return texts;
  }

  void ptx(const ConfigNode& node) {
    for (const std::string& name : one_or_more(node)) file_.ptx.push_back(context_.resolve(name));
    if (file_.ptx.empty()) throw Error(node.where(), "no PTX file");
  }

  void ptx_hash(const ConfigNode& node) {
    file_.ptx_hash = one_or_more(node);
    if (file_.ptx_hash.size() != file_.ptx.size())
      throw Error(node.where(),
                  fmt::format("{} hashes of {} PTX files", file_.ptx_hash.size(), file_.ptx.size()),
                  "one each");
  }

  void values(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with numbers");
    for (const auto& [name, member] : node.members) {
      ReadingContext::check_new_name(member, name);
      // Keep integers as integers, so that a division such as "n/2" truncates as in all expressions.
      Number value;
      if (member.is_number() && !member.is_integer)
        value = Number::of(member.number);
      else
        value = Expression::integer(member, file_.values).evaluate_number(file_.values);
      file_.values.add(name, value);
      context_.names.add(name, value);
    }
  }

  void buffers(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with buffers");
    for (const auto& [name, member] : node.members) {
      ReadingContext::check_new_name(member, name);
      const ObjectReader in(member, kBufferForm);
      BufferSpec buffer;
      buffer.name = name;
      buffer.where = member.where();
      buffer.type = read_element_type(in.get("type"));
      if (const auto* count = in.find("count")) buffer.count = context_.integer(*count);
      buffer.source = read_source(in, buffer.type, member, context_);
      if (in.has("address")) buffer.address = address_of(in.get("address"));
      if (in.has("pages")) captured(in, member, buffer);
      for (const char* key : {"variable", "hash", "expected"})
        if (in.has(key) && !in.has("pages"))
          throw Error(in.get(key).where(), fmt::format("\"{}\" of a buffer that was not captured", key),
                      "beside \"pages\"");
      if (!buffer.count && buffer.source.kind != DataSource::Kind::file &&
          buffer.source.kind != DataSource::Kind::values && buffer.source.kind != DataSource::Kind::members)
        throw Error(member.where(), "a buffer without \"count\"");
      file_.buffers.push_back(std::move(buffer));
    }
  }

  void captured(const ObjectReader& in, const ConfigNode& node, BufferSpec& buffer) const {
    for (const char* key : {"init", "file"})
      if (in.has(key))
        throw Error(in.get(key).where(), fmt::format("both \"pages\" and \"{}\"", key), "one of them");
    if (file_.pages.empty())
      throw Error(node.where(), "pages, and the launch file names no file of \"pages\"");
    if (!buffer.count) throw Error(node.where(), "a captured buffer without \"count\"");
    const auto most = static_cast<std::int64_t>(kMaxBufferBytes);
    if (in.has("variable")) {
      buffer.variable = in.text("variable");
      buffer.address = address_of(in.get("address"));
    }
    const auto bytes =
        static_cast<std::uint64_t>(buffer.count->evaluate(context_.names, 1, most)) * bytes_of(buffer.type);
    buffer.source.kind = DataSource::Kind::pages;
    buffer.source.pages = page_source(in.get("pages"), in.text("hash"), bytes);
    const auto* expected = in.find("expected");
    if (!expected) return;
    const ObjectReader after(*expected, kContentsForm);
    buffer.expected = page_source(after.get("pages"), after.text("hash"), bytes);
  }

  static std::uint64_t address_of(const ConfigNode& node) {
    if (!node.is_number() || !node.is_integer || node.integer <= 0)
      throw Error(node.where(), "not an address", "integers > 0");
    return static_cast<std::uint64_t>(node.integer);
  }

  PageSource page_source(const ConfigNode& node, const std::string& hash, std::uint64_t bytes) const {
    PageSource source;
    source.file = file_.pages;
    source.where = node.where();
    source.hash = hash;
    source.bytes = bytes;
    std::uint64_t pages = 0;
    const auto most = static_cast<std::int64_t>(kMaxBufferBytes / kPageBytes);
    for (const ConfigNode& item : ObjectReader::array(node).items) {
      const auto number = [&](std::size_t i, std::int64_t low) {
        const ConfigNode* const n = item.is_array() && item.items.size() == 2 ? &item.items[i] : nullptr;
        if (!n || !n->is_integer || n->integer < low || n->integer > (std::int64_t{1} << 40))
          throw Error(item.where(), "not a run of pages", "[first page, number of pages]");
        return static_cast<std::uint64_t>(n->integer);
      };
      source.runs.push_back({number(0, 0), number(1, 1)});
      pages = std::min<std::uint64_t>(pages + source.runs.back().count, static_cast<std::uint64_t>(most) + 1);
    }
    if (pages != (bytes + kPageBytes - 1) / kPageBytes)
      throw Error(node.where(), fmt::format("{} pages for {} bytes", pages, bytes),
                  fmt::format("pages of {} bytes", kPageBytes));
    return source;
  }

  void variables_at(const ConfigNode& node) {
    const ObjectReader in(node, kPlacesForm);
    file_.variables_at.global = address_of(in.get("global"));
    file_.variables_at.constant = address_of(in.get("constant"));
  }

  void textures(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with textures");
    for (const auto& [name, member] : node.members) {
      ReadingContext::check_new_name(member, name);
      file_.textures.push_back(read_texture(name, member, context_));
    }
  }

  void symbols(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with symbols");
    for (const auto& [name, member] : node.members) {
      if (!member.is_array()) {
        file_.symbols.push_back(read_symbol(name, member, context_, false));
        continue;
      }
      for (const ConfigNode& part : member.items)
        file_.symbols.push_back(read_symbol(name, part, context_, false));
    }
  }

  void outputs(const ConfigNode* node) {
    if (!node) {
      for (const auto& buffer : file_.buffers) {
        OutputSpec output;
        output.buffer = buffer.name;
        output.where = buffer.where;
        file_.outputs.push_back(std::move(output));
      }
      return;
    }
    for (const ConfigNode& item : ObjectReader::array(*node).items) {
      const ObjectReader in(item, kOutputForm);
      OutputSpec output;
      output.where = item.where();
      if (in.has("symbol"))
        output_symbol(in, output);
      else
        output.buffer = context_.buffer_name(in.get("buffer"));
      for (const char* key : {"type", "count", "offset_bytes"})
        if (output.symbol.empty() && in.has(key))
          throw Error(in.get(key).where(), fmt::format("\"{}\" of a buffer", key), "of a \"symbol\"");
      for (const auto& known : file_.outputs) {
        if (known.buffer == output.buffer)
          throw Error(item.where(), "the output \"" + output.buffer + "\" is named twice");
      }
      if (const auto* compare = in.find("compare")) output.compare = tolerance(*compare);
      output.why = in.text("why", false);
      if (const auto* compare = in.find("compare_with_source")) output.with_source = tolerance(*compare);
      file_.outputs.push_back(std::move(output));
    }
  }

  void output_symbol(const ObjectReader& in, OutputSpec& output) const {
    if (in.has("buffer")) throw Error(output.where, "a buffer and a symbol", "one of them");
    SymbolSpec symbol;
    symbol.name = output.buffer = in.text("symbol");
    symbol.where = output.where;
    symbol.type = read_element_type(in.get("type"));
    if (const auto* count = in.find("count")) symbol.count = context_.integer(*count);
    symbol.offset_bytes = context_.optional_integer(in, "offset_bytes");
    if (file_.find_buffer(symbol.name))
      throw Error(output.where, "a buffer has the name of the symbol \"" + symbol.name + "\"");
    output.symbol.push_back(std::move(symbol));
  }

  static Tolerance tolerance(const ConfigNode& node) {
    if (node.is_string()) {
      if (node.text != "exact")
        throw unknown_name(node.where(), "comparison", node.text, {"exact"},
                           "or {\"relative\": r, \"absolute\": a}");
      return {};
    }
    const ObjectReader in(node, kToleranceForm);
    Tolerance tolerance;
    tolerance.exact = false;
    for (auto [key, into] : {std::pair{"relative", &tolerance.relative}, {"absolute", &tolerance.absolute}}) {
      const ConfigNode* value = in.find(key);
      if (!value) continue;
      if (!value->is_number() || value->number < 0)
        throw Error(value->where(), "not a tolerance", "numbers >= 0");
      *into = value->number;
    }
    return tolerance;
  }

  void depends_on(const ConfigNode& node) {
    for (const ConfigNode& item : ObjectReader::array(node).items) {
      const std::string name = ObjectReader::text_of(item);
      if (name == "atomic-order")
        file_.depends_on.atomic_order = true;
      else if (name == "cta-order")
        file_.depends_on.cta_order = true;
      else if (name == "time")
        file_.depends_on.time = true;
      else if (name == "placement")
        file_.depends_on.placement = true;
      else
        throw unknown_name(item.where(), "dependence", name,
                           {"atomic-order", "cta-order", "time", "placement"});
    }
  }

  LaunchFile file_;
  ReadingContext context_{file_};
};

}  // namespace

LaunchFile read_launch_file(const std::string& path) {
  LaunchFile file = Reader(path).read(parse_config_file(path));
  if (!file.pages.empty()) check_against_capture_table(path);
  return file;
}

LaunchFile read_launch_text(const std::string& text, const std::string& path) {
  return Reader(path).read(parse_config_text(text, path));
}

}  // namespace heddle::launch

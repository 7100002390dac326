#include <fmt/format.h>

#include <filesystem>

#include "models/core/error.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

class Reader {
 public:
  explicit Reader(std::string path) { file_.path = std::move(path); }

  LaunchFile read(const ConfigNode& root) {
    const ObjectReader top(
        root, "a launch file",
        {"$schema", "description", "ptx", "values", "buffers", "symbols", "steps", "outputs", "depends_on"});
    file_.description = top.text("description", false);
    file_.ptx = resolve(top.text("ptx"));
    if (const auto* node = top.find("values")) values(*node);
    if (const auto* node = top.find("buffers")) buffers(*node);
    if (const auto* node = top.find("symbols")) symbols(*node);
    file_.steps = read_steps(top.get("steps"), context_);
    outputs(top.find("outputs"));
    if (const auto* node = top.find("depends_on")) depends_on(*node);
    return std::move(file_);
  }

 private:
  std::string resolve(const std::string& name) const {
    const std::filesystem::path path(name);
    return path.is_absolute() ? name : (std::filesystem::path(file_.path).parent_path() / path).string();
  }

  void values(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with numbers");
    for (const auto& [name, member] : node.members) {
      ReadingContext::check_new_name(member, name);
      // An integer where it can be one, so that "n/2" truncates here as it does elsewhere.
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
      const ObjectReader in(member, "a buffer", {"type", "count", "init", "file"});
      BufferSpec buffer;
      buffer.name = name;
      buffer.where = member.where();
      buffer.type = read_element_type(in.get("type"));
      if (const auto* count = in.find("count")) buffer.count = context_.integer(*count);
      buffer.source = source(in, buffer.type, member);
      if (!buffer.count && buffer.source.kind != DataSource::Kind::file &&
          buffer.source.kind != DataSource::Kind::values)
        throw Error(member.where(), "a buffer without \"count\"");
      file_.buffers.push_back(std::move(buffer));
    }
  }

  DataSource source(const ObjectReader& in, ElementType type, const ConfigNode& node) const {
    DataSource source;
    source.where = node.where();
    if (in.has("init") && in.has("file"))
      throw Error(node.where(), "both \"init\" and \"file\"", "one of them");
    if (in.has("file")) {
      source.kind = DataSource::Kind::file;
      source.file = resolve(in.text("file"));
    } else if (const auto* init = in.find("init")) {
      read_init(*init, type, source);
    }
    return source;
  }

  void read_init(const ConfigNode& node, ElementType type, DataSource& source) const {
    const ConfigNode* kind_node = node.find("kind");
    if (!kind_node) throw Error(node.where(), "no \"kind\"", "zeros, range, uniform, normal, values");
    const std::string kind = ObjectReader::text_of(*kind_node);
    source.where = node.where();
    if (kind == "zeros") {
      const ObjectReader in(node, "an init of zeros", {"kind"});
    } else if (kind == "range") {
      const ObjectReader in(node, "a range", {"kind", "start", "step"});
      source.kind = DataSource::Kind::range;
      source.first = in.has("start") ? context_.number(in.get("start"), type) : Expression::constant(0);
      source.second = in.has("step") ? context_.number(in.get("step"), type) : Expression::constant(1);
    } else if (kind == "uniform") {
      const ObjectReader in(node, "a uniform distribution", {"kind", "low", "high", "seed"});
      source.kind = DataSource::Kind::uniform;
      source.first = context_.number(in.get("low"), type);
      source.second = context_.number(in.get("high"), type);
      source.seed = context_.integer(in.get("seed"));
    } else if (kind == "normal") {
      const ObjectReader in(node, "a normal distribution", {"kind", "mean", "deviation", "seed"});
      source.kind = DataSource::Kind::normal;
      source.first = Expression::real(in.get("mean"), context_.names);
      source.second = Expression::real(in.get("deviation"), context_.names);
      source.seed = context_.integer(in.get("seed"));
    } else if (kind == "values") {
      const ObjectReader in(node, "a list of values", {"kind", "values"});
      read_values(in.get("values"), type, source);
    } else {
      throw Error(kind_node->where(), "unknown kind \"" + kind + "\"",
                  "zeros, range, uniform, normal, values");
    }
  }

  void read_values(const ConfigNode& node, ElementType type, DataSource& source) const {
    source.kind = DataSource::Kind::values;
    for (const ConfigNode& item : ObjectReader::array(node).items)
      source.values.push_back(context_.number(item, type));
    if (source.values.empty()) throw Error(node.where(), "an empty list of values");
  }

  void symbols(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with symbols");
    for (const auto& [name, member] : node.members) file_.symbols.push_back(symbol(name, member));
  }

  SymbolSpec symbol(const std::string& name, const ConfigNode& node) const {
    const ObjectReader in(node, "a symbol",
                          {"type", "values", "count", "init", "file", "buffer", "pointer",
                           "pointer_offset_bytes", "offset_bytes"});
    SymbolSpec symbol;
    symbol.name = name;
    symbol.where = node.where();
    symbol.offset_bytes = context_.optional_integer(in, "offset_bytes");
    int sources = 0;
    for (const char* key : {"values", "init", "file", "buffer", "pointer"}) sources += in.has(key);
    if (sources != 1)
      throw Error(node.where(), fmt::format("a symbol with {} sources of data", sources),
                  "one of values, init, file, buffer, pointer");
    if (in.has("pointer")) {
      symbol.kind = SymbolSpec::Kind::pointer;
      symbol.type = ElementType::u64;
      symbol.buffer = context_.buffer_name(in.get("pointer"));
      symbol.buffer_offset = context_.optional_integer(in, "pointer_offset_bytes");
      if (in.has("type") || in.has("count"))
        throw Error(node.where(), "a pointer has no \"type\" and no \"count\"");
      return symbol;
    }
    symbol.type = read_element_type(in.get("type"));
    if (const auto* count = in.find("count")) symbol.count = context_.integer(*count);
    if (const auto* buffer = in.find("buffer")) {
      symbol.kind = SymbolSpec::Kind::buffer;
      symbol.buffer = context_.buffer_name(*buffer);
    } else if (const auto* values = in.find("values")) {
      symbol.source.where = values->where();
      read_values(*values, symbol.type, symbol.source);
    } else {
      symbol.source = source(in, symbol.type, node);
    }
    return symbol;
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
      const ObjectReader in(item, "an output", {"buffer", "compare", "why", "compare_with_source"});
      OutputSpec output;
      output.where = item.where();
      output.buffer = context_.buffer_name(in.get("buffer"));
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

  static Tolerance tolerance(const ConfigNode& node) {
    if (node.is_string()) {
      if (node.text != "exact")
        throw Error(node.where(), "unknown comparison \"" + node.text + "\"",
                    "exact, or {\"relative\": r, \"absolute\": a}");
      return {};
    }
    const ObjectReader in(node, "a tolerance", {"relative", "absolute"});
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
        throw Error(item.where(), "unknown dependence \"" + name + "\"",
                    "atomic-order, cta-order, time, placement");
    }
  }

  LaunchFile file_;
  ReadingContext context_{file_};
};

}  // namespace

LaunchFile read_launch_file(const std::string& path) { return Reader(path).read(parse_config_file(path)); }

LaunchFile read_launch_text(const std::string& text, const std::string& path) {
  return Reader(path).read(parse_config_text(text, path));
}

}  // namespace heddle::launch

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"

namespace heddle::launch {
namespace {

bool is_name(const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && fits(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

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
    scope_ = file_.values;
    file_.steps = steps(top.get("steps"));
    outputs(top.find("outputs"));
    if (const auto* node = top.find("depends_on")) depends_on(*node);
    return std::move(file_);
  }

 private:
  std::string resolve(const std::string& name) const {
    const std::filesystem::path path(name);
    return path.is_absolute() ? name : (std::filesystem::path(file_.path).parent_path() / path).string();
  }

  // --- values, buffers, symbols

  void new_name(const ConfigNode& node, const std::string& name) const {
    if (!is_name(name)) throw Error(node.where(), "\"" + name + "\" is not a name", "letters, digits and _");
    if (name == "min" || name == "max" || name == "inf" || name == "nan")
      throw Error(node.where(), "\"" + name + "\" has a meaning in expressions", "another name");
  }

  void values(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with numbers");
    for (const auto& [name, member] : node.members) {
      new_name(member, name);
      // An integer where it can be one, so that "n/2" truncates here as it does elsewhere.
      Number value;
      if (member.is_number() && !member.is_integer)
        value = Number::of(member.number);
      else
        value = Expression::integer(member, file_.values).evaluate_number(file_.values);
      file_.values.add(name, value);
    }
  }

  Expression integer(const ConfigNode& node) const { return Expression::integer(node, scope()); }
  Expression number(const ConfigNode& node, ElementType type) const {
    return is_real(type) ? Expression::real(node, scope()) : Expression::integer(node, scope());
  }
  const Scope& scope() const { return in_steps_ ? scope_ : file_.values; }

  void buffers(const ConfigNode& node) {
    if (!node.is_object()) throw Error(node.where(), "not an object", "names with buffers");
    for (const auto& [name, member] : node.members) {
      new_name(member, name);
      const ObjectReader in(member, "a buffer", {"type", "count", "init", "file"});
      BufferSpec buffer;
      buffer.name = name;
      buffer.where = member.where();
      buffer.type = read_element_type(in.get("type"));
      if (const auto* count = in.find("count")) buffer.count = integer(*count);
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
      source.first = in.has("start") ? number(in.get("start"), type) : Expression::constant(0);
      source.second = in.has("step") ? number(in.get("step"), type) : Expression::constant(1);
    } else if (kind == "uniform") {
      const ObjectReader in(node, "a uniform distribution", {"kind", "low", "high", "seed"});
      source.kind = DataSource::Kind::uniform;
      source.first = number(in.get("low"), type);
      source.second = number(in.get("high"), type);
      source.seed = integer(in.get("seed"));
    } else if (kind == "normal") {
      const ObjectReader in(node, "a normal distribution", {"kind", "mean", "deviation", "seed"});
      source.kind = DataSource::Kind::normal;
      source.first = Expression::real(in.get("mean"), scope());
      source.second = Expression::real(in.get("deviation"), scope());
      source.seed = integer(in.get("seed"));
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
      source.values.push_back(number(item, type));
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
    symbol.offset_bytes = optional_integer(in, "offset_bytes");
    int sources = 0;
    for (const char* key : {"values", "init", "file", "buffer", "pointer"}) sources += in.has(key);
    if (sources != 1)
      throw Error(node.where(), fmt::format("a symbol with {} sources of data", sources),
                  "one of values, init, file, buffer, pointer");
    if (in.has("pointer")) {
      symbol.kind = SymbolSpec::Kind::pointer;
      symbol.type = ElementType::u64;
      symbol.buffer = buffer_name(in.get("pointer"));
      symbol.buffer_offset = optional_integer(in, "pointer_offset_bytes");
      if (in.has("type") || in.has("count"))
        throw Error(node.where(), "a pointer has no \"type\" and no \"count\"");
      return symbol;
    }
    symbol.type = read_element_type(in.get("type"));
    if (const auto* count = in.find("count")) symbol.count = integer(*count);
    if (const auto* buffer = in.find("buffer")) {
      symbol.kind = SymbolSpec::Kind::buffer;
      symbol.buffer = buffer_name(*buffer);
    } else if (const auto* values = in.find("values")) {
      symbol.source.where = values->where();
      read_values(*values, symbol.type, symbol.source);
    } else {
      symbol.source = source(in, symbol.type, node);
    }
    return symbol;
  }

  Expression optional_integer(const ObjectReader& in, const char* key) const {
    return in.has(key) ? integer(in.get(key)) : Expression::constant(0);
  }

  std::string buffer_name(const ConfigNode& node) const {
    const std::string name = ObjectReader::text_of(node);
    if (file_.find_buffer(name)) return name;
    std::string known;
    for (const auto& b : file_.buffers) known += (known.empty() ? "" : ", ") + b.name;
    throw Error(node.where(), "unknown buffer \"" + name + "\"",
                known.empty() ? "no buffers are defined" : known);
  }

  // --- steps

  std::vector<Step> steps(const ConfigNode& node) {
    in_steps_ = true;
    std::vector<Step> list;
    for (const ConfigNode& item : ObjectReader::array(node).items) list.push_back(step(item));
    if (list.empty()) throw Error(node.where(), "an empty list of steps");
    return list;
  }

  Step step(const ConfigNode& node) {
    if (node.is_object()) {
      if (node.find("kernel")) return kernel_step(node);
      if (node.find("repeat")) return repeat_step(node);
      if (node.find("while")) return while_step(node);
      if (node.find("swap")) return swap_step(node);
      if (node.find("copy")) return copy_step(node);
      if (node.find("fill")) return fill_step(node);
    }
    throw Error(node.where(), "not a step", "an object with kernel, repeat, while, swap, copy or fill");
  }

  static Step make_step(Step::Kind kind, const ConfigNode& node) {
    Step step;
    step.kind = kind;
    step.where = node.where();
    return step;
  }

  Step kernel_step(const ConfigNode& node) {
    const ObjectReader in(node, "a kernel step", {"kernel", "grid", "block", "shared_bytes", "args"});
    Step step = make_step(Step::Kind::kernel, node);
    step.kernel = in.text("kernel");
    step.grid = extents(in.get("grid"));
    step.block = extents(in.get("block"));
    step.shared_bytes = optional_integer(in, "shared_bytes");
    if (const auto* args = in.find("args")) {
      for (const ConfigNode& item : ObjectReader::array(*args).items)
        step.arguments.push_back(argument(item));
    }
    return step;
  }

  std::array<Expression, 3> extents(const ConfigNode& node) const {
    std::array<Expression, 3> result;
    result.fill(Expression::constant(1));
    if (!node.is_array()) {
      result[0] = integer(node);
      return result;
    }
    if (node.items.empty() || node.items.size() > 3)
      throw Error(node.where(), fmt::format("{} extents", node.items.size()), "1 to 3");
    for (std::size_t i = 0; i < node.items.size(); ++i) result[i] = integer(node.items[i]);
    return result;
  }

  Argument argument(const ConfigNode& node) const {
    const char* const forms =
        "{\"buffer\": name}, {\"u32\": value} and the like, {\"struct\": [...]} or {\"bytes\": "
        "\"hexadecimal\"}";
    if (!node.is_object() || node.members.empty()) throw Error(node.where(), "not an argument", forms);
    Argument argument;
    argument.where = node.where();
    if (const auto* buffer = node.find("buffer")) {
      const ObjectReader in(node, "a buffer argument", {"buffer", "offset_bytes"});
      argument.kind = Argument::Kind::buffer;
      argument.buffer = buffer_name(*buffer);
      argument.offset_bytes = optional_integer(in, "offset_bytes");
    } else if (const auto* members = node.find("struct")) {
      const ObjectReader in(node, "a structure argument", {"struct", "align"});
      argument.kind = Argument::Kind::structure;
      for (const ConfigNode& item : ObjectReader::array(*members).items)
        argument.members.push_back(this->argument(item));
      if (argument.members.empty()) throw Error(members->where(), "an empty structure");
      if (const auto* align = in.find("align")) argument.align = alignment(*align);
    } else if (const auto* bytes = node.find("bytes")) {
      const ObjectReader in(node, "an argument of bytes", {"bytes"});
      argument.kind = Argument::Kind::bytes;
      argument.bytes = hexadecimal(*bytes);
    } else {
      const auto& [name, value] = node.members.front();
      if (node.members.size() != 1 || !find_element_type(name, argument.type))
        throw Error(node.where(), "not an argument: \"" + name + "\"", forms);
      if (value.is_array()) {
        for (const ConfigNode& item : value.items) argument.values.push_back(number(item, argument.type));
        if (argument.values.empty()) throw Error(value.where(), "an empty array");
      } else {
        argument.values.push_back(number(value, argument.type));
      }
    }
    return argument;
  }

  std::uint32_t alignment(const ConfigNode& node) const {
    const auto align = static_cast<std::uint32_t>(integer(node).evaluate(file_.values, 1, 256));
    if ((align & (align - 1)) != 0) throw Error(node.where(), "not a power of two", "1, 2, 4 ... 256");
    return align;
  }

  static std::vector<std::uint8_t> hexadecimal(const ConfigNode& node) {
    const std::string text = ObjectReader::text_of(node);
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const bool digit = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
      if ((!digit && !lower && !upper) || text.size() % 2 != 0)
        throw Error(node.where(), "\"" + text + "\" is not a row of bytes", "two hexadecimal digits a byte");
      const int value = digit ? c - '0' : (lower ? c - 'a' : c - 'A') + 10;
      if (i % 2 == 0)
        bytes.push_back(static_cast<std::uint8_t>(value << 4));
      else
        bytes.back() = static_cast<std::uint8_t>(bytes.back() | value);
    }
    return bytes;
  }

  void loop_body(const ObjectReader& in, Step& step) {
    if (const auto* index = in.find("index")) {
      step.index = ObjectReader::text_of(*index);
      new_name(*index, step.index);
      if (scope_.find(step.index))
        throw Error(index->where(), "the name \"" + step.index + "\" is taken", "another name");
      scope_.add(step.index, Number::of(WideInteger{0}));
    }
    step.body = steps(in.get("steps"));
    if (!step.index.empty()) scope_.remove_last();
  }

  Step repeat_step(const ConfigNode& node) {
    const ObjectReader in(node, "a repeat step", {"repeat", "index", "steps"});
    Step step = make_step(Step::Kind::repeat, node);
    step.count = integer(in.get("repeat"));
    loop_body(in, step);
    return step;
  }

  Step while_step(const ConfigNode& node) {
    const ObjectReader in(node, "a while step", {"while", "max", "index", "steps"});
    Step step = make_step(Step::Kind::while_, node);
    step.buffer = buffer_name(in.get("while"));
    step.count = integer(in.get("max"));
    loop_body(in, step);
    return step;
  }

  Step swap_step(const ConfigNode& node) {
    const ObjectReader in(node, "a swap step", {"swap"});
    Step step = make_step(Step::Kind::swap, node);
    const ConfigNode& pair = ObjectReader::array(in.get("swap"));
    if (pair.items.size() != 2) throw Error(pair.where(), "not a pair", "two buffers");
    step.buffer = buffer_name(pair.items[0]);
    step.other = buffer_name(pair.items[1]);
    if (file_.find_buffer(step.buffer)->type != file_.find_buffer(step.other)->type)
      throw Error(pair.where(), "a swap of buffers of different types", "two buffers of one type");
    return step;
  }

  Step copy_step(const ConfigNode& node) {
    const ObjectReader in(node, "a copy step", {"copy", "to"});
    Step step = make_step(Step::Kind::copy, node);
    step.buffer = buffer_name(in.get("copy"));
    step.other = buffer_name(in.get("to"));
    return step;
  }

  Step fill_step(const ConfigNode& node) {
    const ObjectReader in(node, "a fill step", {"fill", "value"});
    Step step = make_step(Step::Kind::fill, node);
    step.buffer = buffer_name(in.get("fill"));
    step.value = number(in.get("value"), file_.find_buffer(step.buffer)->type);
    return step;
  }

  // --- outputs

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
      output.buffer = buffer_name(in.get("buffer"));
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
  Scope scope_;  // values and the indices of the enclosing loops
  bool in_steps_ = false;
};

}  // namespace

LaunchFile read_launch_file(const std::string& path) { return Reader(path).read(parse_config_file(path)); }

LaunchFile read_launch_text(const std::string& text, const std::string& path) {
  return Reader(path).read(parse_config_text(text, path));
}

}  // namespace heddle::launch

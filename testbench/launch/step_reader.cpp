#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

bool is_name(const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && fits(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

class StepReader {
 public:
  explicit StepReader(ReadingContext& context) : context_(context) {}

  std::vector<Step> steps(const ConfigNode& node) {
    std::vector<Step> list;
    for (const ConfigNode& item : ObjectReader::array(node).items) list.push_back(step(item));
    if (list.empty()) throw Error(node.where(), "an empty list of steps");
    return list;
  }

 private:
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
    step.shared_bytes = context_.optional_integer(in, "shared_bytes");
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
      result[0] = context_.integer(node);
      return result;
    }
    if (node.items.empty() || node.items.size() > 3)
      throw Error(node.where(), fmt::format("{} extents", node.items.size()), "1 to 3");
    for (std::size_t i = 0; i < node.items.size(); ++i) result[i] = context_.integer(node.items[i]);
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
      argument.buffer = context_.buffer_name(*buffer);
      argument.offset_bytes = context_.optional_integer(in, "offset_bytes");
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
        for (const ConfigNode& item : value.items)
          argument.values.push_back(context_.number(item, argument.type));
        if (argument.values.empty()) throw Error(value.where(), "an empty array");
      } else {
        argument.values.push_back(context_.number(value, argument.type));
      }
    }
    return argument;
  }

  std::uint32_t alignment(const ConfigNode& node) const {
    const auto align = static_cast<std::uint32_t>(context_.integer(node).evaluate(context_.names, 1, 256));
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
      ReadingContext::check_new_name(*index, step.index);
      if (context_.names.find(step.index))
        throw Error(index->where(), "the name \"" + step.index + "\" is taken", "another name");
      context_.names.add(step.index, Number::of(WideInteger{0}));
    }
    step.body = steps(in.get("steps"));
    if (!step.index.empty()) context_.names.remove_last();
  }

  Step repeat_step(const ConfigNode& node) {
    const ObjectReader in(node, "a repeat step", {"repeat", "index", "steps"});
    Step step = make_step(Step::Kind::repeat, node);
    step.count = context_.integer(in.get("repeat"));
    loop_body(in, step);
    return step;
  }

  Step while_step(const ConfigNode& node) {
    const ObjectReader in(node, "a while step", {"while", "max", "index", "steps"});
    Step step = make_step(Step::Kind::while_, node);
    step.buffer = context_.buffer_name(in.get("while"));
    step.count = context_.integer(in.get("max"));
    loop_body(in, step);
    return step;
  }

  Step swap_step(const ConfigNode& node) {
    const ObjectReader in(node, "a swap step", {"swap"});
    Step step = make_step(Step::Kind::swap, node);
    const ConfigNode& pair = ObjectReader::array(in.get("swap"));
    if (pair.items.size() != 2) throw Error(pair.where(), "not a pair", "two buffers");
    step.buffer = context_.buffer_name(pair.items[0]);
    step.other = context_.buffer_name(pair.items[1]);
    if (context_.buffer_type(step.buffer) != context_.buffer_type(step.other))
      throw Error(pair.where(), "a swap of buffers of different types", "two buffers of one type");
    return step;
  }

  Step copy_step(const ConfigNode& node) {
    const ObjectReader in(node, "a copy step", {"copy", "to"});
    Step step = make_step(Step::Kind::copy, node);
    step.buffer = context_.buffer_name(in.get("copy"));
    step.other = context_.buffer_name(in.get("to"));
    return step;
  }

  Step fill_step(const ConfigNode& node) {
    const ObjectReader in(node, "a fill step", {"fill", "value"});
    Step step = make_step(Step::Kind::fill, node);
    step.buffer = context_.buffer_name(in.get("fill"));
    step.value = context_.number(in.get("value"), context_.buffer_type(step.buffer));
    return step;
  }

  ReadingContext& context_;
};

}  // namespace

std::string ReadingContext::buffer_name(const ConfigNode& node) const {
  const std::string name = ObjectReader::text_of(node);
  if (file_.find_buffer(name)) return name;
  std::string known;
  for (const auto& b : file_.buffers) known += (known.empty() ? "" : ", ") + b.name;
  throw Error(node.where(), "unknown buffer \"" + name + "\"",
              known.empty() ? "no buffers are defined" : known);
}

void ReadingContext::check_new_name(const ConfigNode& node, const std::string& name) {
  if (!is_name(name)) throw Error(node.where(), "\"" + name + "\" is not a name", "letters, digits and _");
  if (name == "min" || name == "max" || name == "inf" || name == "nan")
    throw Error(node.where(), "\"" + name + "\" has a meaning in expressions", "another name");
}

std::vector<Step> read_steps(const ConfigNode& node, ReadingContext& context) {
  return StepReader(context).steps(node);
}

}  // namespace heddle::launch

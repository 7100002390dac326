#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

const TypeForm kExtentsForm("launch", "extents", "expression|expression[1-3]");
const ObjectForm kKernelStepForm("launch", "kernel_step", "a kernel step",
                                 {{"kernel!", "text"},
                                  {"grid!", "extents"},
                                  {"block!", "extents"},
                                  {"shared_bytes", "expression"},
                                  {"cooperative", "boolean"},
                                  {"args", "argument[]"},
                                  {"parameters", "/^([0-9a-fA-F]{2})*$/",
                                   "all parameters as bytes, instead of args"}});
const ObjectForm kRepeatForm("launch", "repeat", "a repeat step",
                             {{"repeat!", "expression"}, {"index", "name"}, {"steps!", "step[1-]"}});
const ObjectForm kWhileForm(
    "launch", "while", "a while step",
    {{"while!", "text"}, {"max!", "expression"}, {"index", "name"}, {"steps!", "step[1-]"}});
const ObjectForm kSwapForm("launch", "swap", "a swap step", {{"swap!", "text[2]"}});
const ObjectForm kCopyForm("launch", "copy", "a copy step", {{"copy!", "text"}, {"to!", "text"}});
const ObjectForm kFillForm("launch", "fill", "a fill step", {{"fill!", "text"}, {"value!", "expression"}});
const ObjectForm kSetForm("launch", "set", "a set step",
                          {{"set!", "text", "one of \"values\"; with at or index, a buffer"},
                           {"at", "expression"},
                           {"index", "name"},
                           {"count", "expression"},
                           {"value!", "expression",
                            "evaluated by the rules of C, with elements of buffers: a[i]"}});
const ObjectForm kReadSymbolForm("launch", "read_symbol", "a step that reads a symbol",
                                 {{"symbol!", "text"}, {"to!", "text"}, {"offset_bytes", "expression"}});
const TypeForm kStepForm("launch", "step",
                         "kernel_step|repeat|while|swap|copy|fill|set|read_symbol|symbol_step");

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
      if (node.find("set")) return set_step(node);
      if (node.find("symbol")) return symbol_step(node);
    }
    throw Error(node.where(), "not a step",
                "an object with kernel, repeat, while, swap, copy, fill, set or symbol");
  }

  static Step make_step(Step::Kind kind, const ConfigNode& node) {
    Step step;
    step.kind = kind;
    step.where = node.where();
    return step;
  }

  Step kernel_step(const ConfigNode& node) {
    const ObjectReader in(node, kKernelStepForm);
    Step step = make_step(Step::Kind::kernel, node);
    step.kernel = in.text("kernel");
    step.grid = extents(in.get("grid"));
    step.block = extents(in.get("block"));
    step.shared_bytes = context_.optional_integer(in, "shared_bytes");
    if (const auto* cooperative = in.find("cooperative")) {
      if (cooperative->kind != ConfigNode::Kind::boolean)
        throw Error(cooperative->where(), "not a truth value", "true, false");
      step.cooperative = cooperative->boolean;
    }
    if (const auto* parameters = in.find("parameters")) {
      if (in.has("args")) throw Error(node.where(), "both \"args\" and \"parameters\"", "one of them");
      step.parameters = read_hexadecimal(*parameters);
    }
    if (const auto* args = in.find("args")) {
      for (const ConfigNode& item : ObjectReader::array(*args).items)
        step.arguments.push_back(read_argument(item, context_));
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

  /// Reads the name of a step's loop or element index. Expressions may use this name until names.remove_last() is
  /// called.
  void read_index(const ObjectReader& in, Step& step) {
    const auto* index = in.find("index");
    if (!index) return;
    step.index = ObjectReader::text_of(*index);
    ReadingContext::check_new_name(*index, step.index);
    if (context_.names.find(step.index))
      throw Error(index->where(), "the name \"" + step.index + "\" is taken", "another name");
    context_.names.add(step.index, Number::of(WideInteger{0}));
  }

  void loop_body(const ObjectReader& in, Step& step) {
    read_index(in, step);
    step.body = steps(in.get("steps"));
    if (!step.index.empty()) context_.names.remove_last();
  }

  Step repeat_step(const ConfigNode& node) {
    const ObjectReader in(node, kRepeatForm);
    Step step = make_step(Step::Kind::repeat, node);
    step.count = context_.integer(in.get("repeat"));
    loop_body(in, step);
    return step;
  }

  Step while_step(const ConfigNode& node) {
    const ObjectReader in(node, kWhileForm);
    Step step = make_step(Step::Kind::while_, node);
    step.buffer = context_.buffer_name(in.get("while"));
    step.count = context_.integer(in.get("max"));
    loop_body(in, step);
    return step;
  }

  Step swap_step(const ConfigNode& node) {
    const ObjectReader in(node, kSwapForm);
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
    const ObjectReader in(node, kCopyForm);
    Step step = make_step(Step::Kind::copy, node);
    step.buffer = context_.buffer_name(in.get("copy"));
    step.other = context_.buffer_name(in.get("to"));
    return step;
  }

  Step fill_step(const ConfigNode& node) {
    const ObjectReader in(node, kFillForm);
    Step step = make_step(Step::Kind::fill, node);
    step.buffer = context_.buffer_name(in.get("fill"));
    step.value = context_.number(in.get("value"), context_.buffer_type(step.buffer));
    return step;
  }

  Step set_step(const ConfigNode& node) {
    const ObjectReader in(node, kSetForm);
    Step step = make_step(Step::Kind::set, node);
    step.buffer = in.text("set");
    const bool element = in.has("at"), many = in.has("index");
    if (!element && !many) {
      if (!context_.is_value(step.buffer))
        throw Error(in.get("set").where(), "\"" + step.buffer + "\" is none of the file's \"values\"",
                    "one of them; or a buffer, and \"at\": element or \"index\": name of all of them");
    } else {
      step.buffer = context_.buffer_name(in.get("set"));
    }
    if ((element && many) || (in.has("count") && !many))
      throw Error(node.where(), "a set step of one element and of many",
                  "\"at\", or \"index\" with \"count\" if not all");
    if (element) step.at = context_.host(in.get("at"));
    if (in.has("count")) step.count = context_.integer(in.get("count"));
    read_index(in, step);
    step.value = context_.host(in.get("value"));
    if (many) context_.names.remove_last();
    return step;
  }

  Step symbol_step(const ConfigNode& node) {
    const bool read = node.find("to") != nullptr;
    Step step = make_step(read ? Step::Kind::read_symbol : Step::Kind::symbol, node);
    if (!read) {
      step.symbols.push_back(read_symbol(ObjectReader::text_of(*node.find("symbol")), node, context_, true));
      return step;
    }
    const ObjectReader in(node, kReadSymbolForm);
    SymbolSpec symbol;
    symbol.name = in.text("symbol");
    symbol.where = step.where;
    symbol.offset_bytes = context_.optional_integer(in, "offset_bytes");
    step.symbols.push_back(std::move(symbol));
    step.buffer = context_.buffer_name(in.get("to"));
    return step;
  }

  ReadingContext& context_;
};

}  // namespace

Expression ReadingContext::host(const ConfigNode& node) const {
  std::vector<std::string> buffers;
  for (const auto& b : file_.buffers) buffers.push_back(b.name);
  return Expression::host(node, names, buffers);
}

std::string ReadingContext::buffer_name(const ConfigNode& node) const {
  std::string name = ObjectReader::text_of(node);
  if (file_.find_buffer(name)) return name;
  std::vector<std::string> known;
  for (const auto& b : file_.buffers) known.push_back(b.name);
  throw unknown_name(node.where(), "buffer", name, known, known.empty() ? "no buffers are defined" : "");
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

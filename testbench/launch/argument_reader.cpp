#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

const ObjectForm kBufferArgumentForm("launch", "buffer_argument", "a buffer argument",
                                     {{"buffer!", "text"}, {"offset_bytes", "expression"}});
const ObjectForm kSymbolArgumentForm("launch", "symbol_argument", "the address of a symbol",
                                     {{"symbol!", "text"}, {"offset_bytes", "expression"}});
const ObjectForm kTextureArgumentForm("launch", "texture_argument", "a texture's handle",
                                      {{"texture!", "text", "texture whose handle is the argument"}});
const ObjectForm kSharedArgumentForm("launch", "shared_argument", "the address of dynamic shared memory",
                                     {{"shared!", "expression",
                                       "bytes; they follow shared_bytes and those of the arguments before"}});
const ObjectForm kStructureForm("launch", "structure", "a structure argument",
                                {{"struct!", "argument[1-]"}, {"align", "expression"}});
const ObjectForm kBytesForm("launch", "bytes", "an argument of bytes", {{"bytes!", "/^([0-9a-fA-F]{2})+$/"}});
const TypeForm kNumbersForm(
    "launch", "numbers", "(expression|expression[1-]){}",
    "one key: the type of an element (\"u32\"), with its value or the values of an array");
const TypeForm kArgumentForm(
    "launch", "argument",
    "buffer_argument|symbol_argument|texture_argument|shared_argument|structure|bytes|numbers");

class ArgumentReader {
 public:
  explicit ArgumentReader(const ReadingContext& context) : context_(context) {}

  Argument argument(const ConfigNode& node) const {
    const char* const forms =
        "{\"buffer\": name}, {\"symbol\": name}, {\"texture\": name}, {\"shared\": bytes}, {\"u32\": value} "
        "and the like, "
        "{\"struct\": [...]} or "
        "{\"bytes\": \"hexadecimal\"}";
    if (!node.is_object() || node.members.empty()) throw Error(node.where(), "not an argument", forms);
    Argument argument;
    argument.where = node.where();
    if (const auto* buffer = node.find("buffer")) {
      const ObjectReader in(node, kBufferArgumentForm);
      argument.kind = Argument::Kind::buffer;
      argument.buffer = context_.buffer_name(*buffer);
      argument.offset_bytes = context_.optional_integer(in, "offset_bytes");
    } else if (node.find("symbol")) {
      const ObjectReader in(node, kSymbolArgumentForm);
      argument.kind = Argument::Kind::symbol;
      argument.buffer = in.text("symbol");
      argument.offset_bytes = context_.optional_integer(in, "offset_bytes");
    } else if (const auto* texture = node.find("texture")) {
      const ObjectReader in(node, kTextureArgumentForm);
      argument.kind = Argument::Kind::texture;
      argument.buffer = context_.texture_name(*texture);
      argument.offset_bytes = Expression::constant(0);
    } else if (node.find("shared")) {
      const ObjectReader in(node, kSharedArgumentForm);
      argument.kind = Argument::Kind::shared;
      argument.values.push_back(context_.integer(in.get("shared")));
    } else if (const auto* members = node.find("struct")) {
      const ObjectReader in(node, kStructureForm);
      argument.kind = Argument::Kind::structure;
      for (const ConfigNode& item : ObjectReader::array(*members).items)
        argument.members.push_back(this->argument(item));
      if (argument.members.empty()) throw Error(members->where(), "an empty structure");
      if (const auto* align = in.find("align")) argument.align = alignment(*align);
    } else if (const auto* bytes = node.find("bytes")) {
      const ObjectReader in(node, kBytesForm);
      argument.kind = Argument::Kind::bytes;
      argument.bytes = read_hexadecimal(*bytes);
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

 private:
  std::uint32_t alignment(const ConfigNode& node) const {
    const auto align = static_cast<std::uint32_t>(context_.integer(node).evaluate(context_.names, 1, 256));
    if ((align & (align - 1)) != 0) throw Error(node.where(), "not a power of two", "1, 2, 4 ... 256");
    return align;
  }

  const ReadingContext& context_;
};

}  // namespace

std::vector<std::uint8_t> read_hexadecimal(const ConfigNode& node) {
  if (!node.is_string()) throw Error(node.where(), "not a string", "a string");
  const std::string& text = node.text;
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

Argument read_argument(const ConfigNode& node, const ReadingContext& context) {
  return ArgumentReader(context).argument(node);
}

std::vector<Argument> read_members(const ConfigNode& node, const ReadingContext& context) {
  std::vector<Argument> members;
  for (const ConfigNode& item : ObjectReader::array(node).items)
    members.push_back(read_argument(item, context));
  if (members.empty()) throw Error(node.where(), "an empty structure");
  return members;
}

}  // namespace heddle::launch

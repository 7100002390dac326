#include <fmt/format.h>

#include <filesystem>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

const ObjectForm kZerosForm("launch", "zeros", "an init of zeros", {{"kind!", "'zeros'"}});
const ObjectForm kRangeForm("launch", "range", "a range",
                            {{"kind!", "'range'"}, {"start", "expression"}, {"step", "expression"}});
const ObjectForm kUniformForm(
    "launch", "uniform", "a uniform distribution",
    {{"kind!", "'uniform'"}, {"low!", "expression"}, {"high!", "expression"}, {"seed!", "expression"}});
const ObjectForm kNormalForm(
    "launch", "normal", "a normal distribution",
    {{"kind!", "'normal'"}, {"mean!", "expression"}, {"deviation!", "expression"}, {"seed!", "expression"}});
const ObjectForm kValuesForm("launch", "list", "a list of values",
                             {{"kind!", "'values'"}, {"values!", "expression[1-]"}});
const ObjectForm kMembersForm("launch", "members", "a list of members",
                              {{"kind!", "'members'"}, {"members!", "argument[1-]"}});
const TypeForm kInitForm("launch", "init", "zeros|range|uniform|normal|list|members");

std::vector<ObjectForm::Key> keys_of_symbol() {
  return {{"type", "element"},
          {"values", "expression[1-]"},
          {"count", "expression"},
          {"init", "init"},
          {"file", "path"},
          {"buffer", "text"},
          {"pointer", "text"},
          {"pointer_offset_bytes", "expression"},
          {"offset_bytes", "expression"},
          {"struct", "argument[1-]"},
          {"texture", "text", "texture that is bound to the reference"}};
}
// JSON keys of a step that writes a module variable: the keys of a symbol, and "symbol" for the variable's name.
std::vector<ObjectForm::Key> keys_of_symbol_step() {
  std::vector<ObjectForm::Key> keys = keys_of_symbol();
  keys.insert(keys.begin(), {"symbol!", "text"});
  return keys;
}
const ObjectForm kSymbolForm("launch", "symbol", "a symbol", keys_of_symbol());
const ObjectForm kSymbolStepForm("launch", "symbol_step", "a symbol", keys_of_symbol_step());

const std::vector<std::string> kKinds = {"zeros", "range", "uniform", "normal", "values", "members"};

class SourceReader {
 public:
  explicit SourceReader(const ReadingContext& context) : context_(context) {}

  DataSource source(const ObjectReader& in, ElementType type, const ConfigNode& node) const {
    DataSource source;
    source.where = node.where();
    if (in.has("init") && in.has("file"))
      throw Error(node.where(), "both \"init\" and \"file\"", "one of them");
    if (in.has("file")) {
      source.kind = DataSource::Kind::file;
      source.file = context_.resolve(in.text("file"));
    } else if (const auto* init = in.find("init")) {
      read_init(*init, type, source);
    }
    return source;
  }

 private:
  void read_init(const ConfigNode& node, ElementType type, DataSource& source) const {
    const ConfigNode* kind_node = node.find("kind");
    if (!kind_node) throw Error(node.where(), "no \"kind\"", fmt::format("{}", fmt::join(kKinds, ", ")));
    const std::string kind = ObjectReader::text_of(*kind_node);
    source.where = node.where();
    if (kind == "zeros") {
      const ObjectReader in(node, kZerosForm);
    } else if (kind == "range") {
      const ObjectReader in(node, kRangeForm);
      source.kind = DataSource::Kind::range;
      source.first = in.has("start") ? context_.number(in.get("start"), type) : Expression::constant(0);
      source.second = in.has("step") ? context_.number(in.get("step"), type) : Expression::constant(1);
    } else if (kind == "uniform") {
      const ObjectReader in(node, kUniformForm);
      source.kind = DataSource::Kind::uniform;
      source.first = context_.number(in.get("low"), type);
      source.second = context_.number(in.get("high"), type);
      source.seed = context_.integer(in.get("seed"));
    } else if (kind == "normal") {
      const ObjectReader in(node, kNormalForm);
      source.kind = DataSource::Kind::normal;
      source.first = Expression::real(in.get("mean"), context_.names);
      source.second = Expression::real(in.get("deviation"), context_.names);
      source.seed = context_.integer(in.get("seed"));
    } else if (kind == "values") {
      const ObjectReader in(node, kValuesForm);
      read_values(in.get("values"), type, context_, source);
    } else if (kind == "members") {
      const ObjectReader in(node, kMembersForm);
      source.kind = DataSource::Kind::members;
      source.members = read_members(in.get("members"), context_);
    } else {
      throw unknown_name(kind_node->where(), "kind", kind, kKinds);
    }
  }

  const ReadingContext& context_;
};

}  // namespace

DataSource read_source(const ObjectReader& in, ElementType type, const ConfigNode& node,
                       const ReadingContext& context) {
  return SourceReader(context).source(in, type, node);
}

void read_values(const ConfigNode& node, ElementType type, const ReadingContext& context,
                 DataSource& source) {
  source.kind = DataSource::Kind::values;
  for (const ConfigNode& item : ObjectReader::array(node).items)
    source.values.push_back(context.number(item, type));
  if (source.values.empty()) throw Error(node.where(), "an empty list of values");
}

SymbolSpec read_symbol(const std::string& name, const ConfigNode& node, const ReadingContext& context,
                       bool step) {
  const ObjectReader in(node, step ? kSymbolStepForm : kSymbolForm);
  SymbolSpec symbol;
  symbol.name = name;
  symbol.where = node.where();
  symbol.offset_bytes = context.optional_integer(in, "offset_bytes");
  int sources = 0;
  for (const char* key : {"values", "init", "file", "buffer", "pointer", "struct", "texture"})
    sources += in.has(key);
  if (sources != 1)
    throw Error(node.where(), fmt::format("a symbol with {} sources of data", sources),
                "one of values, init, file, buffer, pointer, struct, texture");
  if (in.has("texture")) {
    symbol.kind = SymbolSpec::Kind::texture;
    symbol.buffer = context.texture_name(in.get("texture"));
    for (const char* key : {"type", "count", "offset_bytes"})
      if (in.has(key)) throw Error(in.get(key).where(), fmt::format("\"{}\" of a texture's binding", key));
    return symbol;
  }
  if (in.has("pointer")) {
    symbol.kind = SymbolSpec::Kind::pointer;
    symbol.type = ElementType::u64;
    symbol.buffer = context.buffer_name(in.get("pointer"));
    symbol.buffer_offset = context.optional_integer(in, "pointer_offset_bytes");
    if (in.has("type") || in.has("count"))
      throw Error(node.where(), "a pointer has no \"type\" and no \"count\"");
    return symbol;
  }
  if (const auto* members = in.find("struct")) {
    symbol.type = ElementType::u8;
    symbol.source.kind = DataSource::Kind::members;
    symbol.source.where = symbol.where;
    symbol.source.members = read_members(*members, context);
    if (in.has("type") || in.has("count"))
      throw Error(node.where(), "a structure has no \"type\" and no \"count\"");
    return symbol;
  }
  symbol.type = read_element_type(in.get("type"));
  if (const auto* count = in.find("count")) symbol.count = context.integer(*count);
  if (const auto* buffer = in.find("buffer")) {
    symbol.kind = SymbolSpec::Kind::buffer;
    symbol.buffer = context.buffer_name(*buffer);
  } else if (const auto* values = in.find("values")) {
    symbol.source.where = values->where();
    read_values(*values, symbol.type, context, symbol.source);
  } else {
    symbol.source = read_source(in, symbol.type, node, context);
  }
  return symbol;
}

std::string ReadingContext::resolve(const std::string& name) const {
  const std::filesystem::path path(name);
  return path.is_absolute() ? name : (std::filesystem::path(file_.path).parent_path() / path).string();
}

}  // namespace heddle::launch

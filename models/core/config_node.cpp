#include "models/core/config_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>

#include "models/core/error.h"
#include "models/core/part_path.h"
#include "models/core/read_file.h"

namespace heddle {
namespace {

// Builds the tree from the events of Boost's incremental parser. The parser is fed one character at a time,
// so that the line at which an event arrives is known: Boost.JSON itself keeps no positions.
class TreeBuilder {
 public:
  static constexpr std::size_t max_object_size = ~std::size_t{0};
  static constexpr std::size_t max_array_size = ~std::size_t{0};
  static constexpr std::size_t max_key_size = ~std::size_t{0};
  static constexpr std::size_t max_string_size = ~std::size_t{0};
  using error_code = boost::json::error_code;
  using string_view = boost::json::string_view;

  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}

  int line = 1;
  ConfigNode root;

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return open(ConfigNode::Kind::object); }
  bool on_object_end(std::size_t, error_code&) { return close(); }
  bool on_array_begin(error_code&) { return open(ConfigNode::Kind::array); }
  bool on_array_end(std::size_t, error_code&) { return close(); }
  bool on_key_part(string_view s, std::size_t, error_code&) {
    key_.append(s.data(), s.size());
    return true;
  }
  bool on_key(string_view s, std::size_t, error_code&) {
    key_.append(s.data(), s.size());
    ConfigNode& object = *stack_.back();
    if (object.find(key_)) {
      const std::string path = object.path.empty() ? key_ : object.path + "." + key_;
      throw Error(file_ + ":" + std::to_string(line), "duplicate key \"" + path + "\"");
    }
    return true;
  }
  bool on_string_part(string_view s, std::size_t, error_code&) {
    text_.append(s.data(), s.size());
    return true;
  }
  bool on_string(string_view s, std::size_t, error_code&) {
    text_.append(s.data(), s.size());
    ConfigNode& node = add(ConfigNode::Kind::string);
    node.text = std::move(text_);
    text_.clear();
    return true;
  }
  bool on_number_part(string_view s, error_code&) {
    number_.append(s.data(), s.size());
    return true;
  }
  bool on_int64(std::int64_t i, string_view, error_code&) {
    number_.clear();
    ConfigNode& node = add(ConfigNode::Kind::number);
    node.is_integer = true;
    node.integer = i;
    node.number = static_cast<double>(i);
    return true;
  }
  bool on_uint64(std::uint64_t u, string_view, error_code&) {
    number_.clear();
    ConfigNode& node = add(ConfigNode::Kind::number);
    node.is_integer = true;
    node.integer = static_cast<std::int64_t>(u);
    node.number = static_cast<double>(u);
    return true;
  }
  // Boost.JSON's own value may be off by the last bit: 42.24 must be what a C++ compiler makes of it.
  bool on_double(double d, string_view s, error_code&) {
    number_.append(s.data(), s.size());
    std::from_chars(number_.data(), number_.data() + number_.size(), d);
    if (!std::isfinite(d))
      throw Error(file_ + ":" + std::to_string(line), "the number " + number_ + " is too large");
    number_.clear();
    add(ConfigNode::Kind::number).number = d;
    return true;
  }
  bool on_bool(bool b, error_code&) {
    add(ConfigNode::Kind::boolean).boolean = b;
    return true;
  }
  bool on_null(error_code&) {
    add(ConfigNode::Kind::null);
    return true;
  }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

 private:
  ConfigNode& add(ConfigNode::Kind kind) {
    ConfigNode* node = &root;
    std::string path;
    if (!stack_.empty()) {
      ConfigNode& parent = *stack_.back();
      if (parent.is_object()) {
        path = parent.path.empty() ? key_ : parent.path + "." + key_;
        parent.members.emplace_back(key_, ConfigNode{});
        node = &parent.members.back().second;
        key_.clear();
      } else {
        path = parent.path + "[" + std::to_string(parent.items.size()) + "]";
        parent.items.emplace_back();
        node = &parent.items.back();
      }
    }
    node->kind = kind;
    node->file = file_;
    node->line = line;
    node->path = std::move(path);
    return *node;
  }
  bool open(ConfigNode::Kind kind) {
    stack_.push_back(&add(kind));
    return true;
  }
  // Pointers in the stack stay valid: a parent's vector grows only after its child is closed.
  bool close() {
    stack_.pop_back();
    return true;
  }

  std::string file_;
  std::string key_, text_, number_;
  std::vector<ConfigNode*> stack_;
};

void append_quoted(std::string& out, const std::string& text) {
  out += boost::json::serialize(boost::json::string(text));
}

void append_number(std::string& out, const ConfigNode& node) {
  if (node.is_integer) {
    out += node.integer < 0 && node.number > 0 ? std::to_string(static_cast<std::uint64_t>(node.integer))
                                               : std::to_string(node.integer);
    return;
  }
  // JSON has no infinities.
  out += std::isfinite(node.number) ? fmt::format("{}", node.number) : "null";
}

void append_json(std::string& out, const ConfigNode& node, int depth) {
  const std::string indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
  const std::string outer(static_cast<std::size_t>(depth) * 2, ' ');
  switch (node.kind) {
    case ConfigNode::Kind::null:
      out += "null";
      break;
    case ConfigNode::Kind::boolean:
      out += node.boolean ? "true" : "false";
      break;
    case ConfigNode::Kind::number:
      append_number(out, node);
      break;
    case ConfigNode::Kind::string:
      append_quoted(out, node.text);
      break;
    case ConfigNode::Kind::array: {
      out += "[";
      const char* separator = "";
      for (const auto& item : node.items) {
        out += separator;
        out += "\n" + indent;
        append_json(out, item, depth + 1);
        separator = ",";
      }
      out += node.items.empty() ? "]" : "\n" + outer + "]";
      break;
    }
    case ConfigNode::Kind::object: {
      out += "{";
      const char* separator = "";
      for (const auto& [key, member] : node.members) {
        out += separator;
        out += "\n" + indent;
        append_quoted(out, key);
        out += ": ";
        append_json(out, member, depth + 1);
        separator = ",";
      }
      out += node.members.empty() ? "}" : "\n" + outer + "}";
      break;
    }
  }
}

// A part that was named alone, as an object that can take parameters.
ConfigNode part_with_parameters(const ConfigNode& name) {
  ConfigNode part = ConfigNode::make_object(name.file);
  part.line = name.line;
  part.path = name.path;
  part.members.emplace_back("type", name);
  return part;
}

// Walks (and creates) `path` below `root`: keys separated by dots, items of a list as name[index] or name[type].
ConfigNode& descend(ConfigNode& root, std::string_view path, const std::string& where) {
  ConfigNode* node = &root;
  std::string walked;
  while (!path.empty()) {
    const std::size_t end = path.find('.');
    std::string_view step = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end + 1);
    std::string_view key = step.substr(0, step.find('['));
    if (key.empty()) throw Error(where, "empty key in a path", "path.key=value, with items as name[0]");
    if (node->kind == ConfigNode::Kind::null) *node = ConfigNode::make_object(where);
    if (node->is_object() && node->find("value") && node->members.size() == 2) {
      ConfigNode inner = *node->find("value");
      *node = std::move(inner);
    }
    if (node->is_string()) *node = part_with_parameters(*node);
    if (!node->is_object()) throw Error(where, "\"" + walked + "\" is not an object");
    walked += (walked.empty() ? "" : ".") + std::string(key);
    if (ConfigNode* next = node->find(key)) {
      node = next;
    } else {
      node->members.emplace_back(std::string(key), ConfigNode{});
      node = &node->members.back().second;
      node->file = where;
      node->path = walked;
    }
    for (std::size_t open = step.find('['); open != std::string_view::npos; open = step.find('[', open + 1)) {
      const std::size_t close = step.find(']', open);
      if (close == std::string_view::npos || close == open + 1)
        throw Error(where, "unclosed [ in \"" + std::string(step) + "\"");
      const std::string_view selector = step.substr(open + 1, close - open - 1);
      ConfigNode* part = node->is_array() ? find_part(*node, selector) : nullptr;
      if (!part) throw Error(where, "\"" + walked + "\" has no item " + std::string(selector));
      walked += "[" + std::string(selector) + "]";
      node = part;
    }
  }
  return *node;
}

void adopt(ConfigNode& node, const std::string& file, const std::string& path) {
  node.file = file;
  node.line = 0;
  node.path = path;
  for (auto& [key, member] : node.members) adopt(member, file, path + "." + key);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    adopt(node.items[i], file, path + "[" + std::to_string(i) + "]");
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, member] : members)
    if (name == key) return &member;
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigNode*>(static_cast<const ConfigNode*>(this)->find(key));
}

std::string ConfigNode::where() const {
  std::string place = file;
  if (line > 0) place += ":" + std::to_string(line);
  if (!path.empty()) place += (place.empty() ? "" : ": ") + path;
  return place;
}

const ConfigNode& ConfigNode::unwrapped() const {
  if (!is_object()) return *this;
  const ConfigNode* inner = find("value");
  if (!inner) return *this;
  const bool cited = find("source") != nullptr, assumed = find("assumed") != nullptr;
  if (cited == assumed || members.size() != 2)
    throw Error(where(),
                "a value with its origin needs exactly one of \"source\" and \"assumed\" beside \"value\"",
                "{\"value\": v, \"source\": \"...\"} or {\"value\": v, \"assumed\": \"why\"}");
  return *inner;
}

ConfigNode ConfigNode::make_object(std::string file) {
  ConfigNode node;
  node.kind = Kind::object;
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_string(std::string value, std::string file) {
  ConfigNode node;
  node.kind = Kind::string;
  node.text = std::move(value);
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_integer(std::int64_t value, std::string file) {
  ConfigNode node;
  node.kind = Kind::number;
  node.is_integer = true;
  node.integer = value;
  node.number = static_cast<double>(value);
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_number(double value, std::string file) {
  ConfigNode node;
  node.kind = Kind::number;
  node.number = value;
  node.file = std::move(file);
  return node;
}
ConfigNode ConfigNode::make_boolean(bool value, std::string file) {
  ConfigNode node;
  node.kind = Kind::boolean;
  node.boolean = value;
  node.file = std::move(file);
  return node;
}

ConfigNode parse_config_text(std::string_view text, const std::string& file_name) {
  boost::json::parse_options options;
  options.max_depth = 64;
  boost::json::basic_parser<TreeBuilder> parser(options, file_name);
  boost::json::error_code ec;
  int column = 0;
  const auto fail = [&](const std::string& what) {
    throw Error(file_name + ":" + std::to_string(parser.handler().line) + ":" + std::to_string(column),
                "not valid JSON: " + what);
  };
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte-order mark
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i - 1] == '\n') {
      ++parser.handler().line;
      column = 0;
    }
    ++column;
    if (parser.done() && text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
      fail("text behind the end of the value");
    parser.write_some(true, text.data() + i, 1, ec);
    if (ec) break;
  }
  if (!ec) parser.write_some(false, text.data(), 0, ec);
  if (ec) fail(ec.message());
  return std::move(parser.handler().root);
}

ConfigNode parse_config_file(const std::string& path) {
  return parse_config_text(read_text_file(path, "this file"), path);
}

void merge_config(ConfigNode& base, const ConfigNode& over) {
  const bool wrapped = base.is_object() && base.find("value") && base.members.size() == 2;
  if (!base.is_object() || !over.is_object() || wrapped || over.find("value") || over.find("type")) {
    base = over;
    return;
  }
  for (const auto& [key, member] : over.members) {
    if (ConfigNode* mine = base.find(key))
      merge_config(*mine, member);
    else
      base.members.emplace_back(key, member);
  }
}

void set_config(ConfigNode& root, std::string_view assignment) {
  const std::string where = "--set " + std::string(assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) throw Error(where, "no value", "path.key=value");
  const std::string_view path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  ConfigNode parsed;
  boost::json::error_code ec;
  boost::json::parse(boost::json::string_view(value.data(), value.size()), ec);
  if (ec)
    parsed = ConfigNode::make_string(std::string(value), where);
  else
    parsed = parse_config_text(value, where);
  adopt(parsed, where, std::string(path));
  descend(root, path, where) = std::move(parsed);
}

std::string to_json(const ConfigNode& node) {
  std::string out;
  append_json(out, node, 0);
  out += "\n";
  return out;
}

}  // namespace heddle

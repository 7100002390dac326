
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "models/core/config_node.h"

namespace heddle {
namespace {

// Returns true for a text that needs no escape characters in JSON.
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '/'; });
}

void append_quoted(std::string& out, const std::string& text) {
  if (is_plain(text)) {
    out.append(1, '"').append(text).append(1, '"');
    return;
  }
  out += boost::json::serialize(boost::json::string(text));
}

void append_number(std::string& out, const ConfigNode& node) {
  if (node.is_integer) {
    out += node.integer < 0 && node.number > 0 ? std::to_string(static_cast<std::uint64_t>(node.integer))
                                               : std::to_string(node.integer);
    return;
  }
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

}  // namespace

std::string to_json(const ConfigNode& node) {
  std::string out;
  append_json(out, node, 0);
  out += "\n";
  return out;
}

std::string to_json_at(const ConfigNode& node, int depth) {
  std::string out;
  append_json(out, node, depth);
  return out;
}

}  // namespace heddle

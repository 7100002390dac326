
#include <fmt/format.h>

#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "models/core/config_node.h"

namespace heddle {
namespace {

// true for the characters that need no escape in JSON
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c <= '~'; ++c) plain[c] = c != '"' && c != '\\' && c != '/';
  return plain;
}();

bool is_plain(const std::string& text) {
  bool plain = true;
  for (const char c : text) plain &= kPlain[static_cast<unsigned char>(c)];
  return plain;
}

void append_quoted(std::string& out, const std::string& text) {
  if (is_plain(text)) {
    ((out += '"') += text) += '"';
    return;
  }
  out += boost::json::serialize(boost::json::string(text));
}

void append_number(std::string& out, const ConfigNode& node) {
  if (node.is_integer) {
    const bool is_above = node.integer < 0 && node.number > 0;
    const fmt::format_int digits =
        is_above ? fmt::format_int(static_cast<std::uint64_t>(node.integer)) : fmt::format_int(node.integer);
    out.append(digits.data(), digits.size());
    return;
  }
  out += std::isfinite(node.number) ? fmt::format("{}", node.number) : "null";
}

void begin_line(std::string& out, int depth) {
  (out += '\n').append(static_cast<std::size_t>(depth) * 2, ' ');
}

// Reserves memory for the text of a large object, so that the text rarely has to be moved while members are
// appended.
void reserve_more(std::string& out, std::size_t members) {
  constexpr std::size_t kLarge = 64, kMemberBytes = 64;
  if (members > kLarge) out.reserve(out.size() + members * kMemberBytes);
}

void append_json(std::string& out, const ConfigNode& node, int depth) {
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
        begin_line(out, depth + 1);
        append_json(out, item, depth + 1);
        separator = ",";
      }
      if (!node.items.empty()) begin_line(out, depth);
      out += "]";
      break;
    }
    case ConfigNode::Kind::object: {
      reserve_more(out, node.members.size());
      out += "{";
      const char* separator = "";
      for (const auto& [key, member] : node.members) {
        out += separator;
        begin_line(out, depth + 1);
        append_quoted(out, key);
        out += ": ";
        append_json(out, member, depth + 1);
        separator = ",";
      }
      if (!node.members.empty()) begin_line(out, depth);
      out += "}";
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

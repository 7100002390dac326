
#include "models/core/config_head.h"
#include "models/core/config_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <tuple>
#include <unordered_set>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle {
namespace {

// Builds the configuration tree from the events of Boost's incremental JSON parser. Boost.JSON does not
// report positions. Therefore parse_until() gives the text to the parser line by line and counts the lines.
class TreeBuilder {
 public:
  static constexpr std::size_t max_object_size = ~std::size_t{0};
  static constexpr std::size_t max_array_size = ~std::size_t{0};
  static constexpr std::size_t max_key_size = ~std::size_t{0};
  static constexpr std::size_t max_string_size = ~std::size_t{0};
  using error_code = boost::json::error_code;
  using string_view = boost::json::string_view;

  explicit TreeBuilder(std::string file) : name_(file), file_(std::move(file)) {}

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
    refuse_nul(key_);
    ConfigNode& object = *stack_.back().node;
    if (stack_.back().may_have(key_) && object.find(key_)) {
      const std::string outer = object.path, path = outer.empty() ? key_ : outer + "." + key_;
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
    refuse_nul(text_);
    ConfigNode& node = add(ConfigNode::Kind::string);
    node.text = std::move(text_);
    text_.clear();
    return true;
  }
  /// Throws Error for a text with a NUL character, because the operating system ends a file name at such a
  /// character.
  void refuse_nul(const std::string& text) const {
    if (text.find('\0') != std::string::npos)
      throw Error(file_ + ":" + std::to_string(line), "\"" + printable(text) + "\" has a NUL character",
                  "text without \\u0000");
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
  // Converts numbers by std::from_chars, which rounds as a C++ compiler does. Boost.JSON rounds the last bit
  // of some values differently.
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
  /// Number of members for which an object allocates memory when it gets its first member. Few objects have
  /// more, so few have to move their members to a larger array.
  static constexpr std::size_t kFirstMembers = 4;

  ConfigNode& add(ConfigNode::Kind kind) {
    ConfigNode* node = &root;
    KeyPaths::Id path = KeyPaths::kRoot;
    if (!stack_.empty()) {
      ConfigNode& parent = *stack_.back().node;
      const KeyPaths::Id outer = stack_.back().path;
      if (parent.is_object()) {
        path = paths_->add(outer, key_);
        if (parent.members.size() == parent.members.capacity())
          parent.members.reserve(std::max(kFirstMembers, 2 * parent.members.size()));
        parent.members.emplace_back(std::piecewise_construct, std::forward_as_tuple(std::move(key_)),
                                    std::forward_as_tuple());
        node = &parent.members.back().second;
        key_.clear();
      } else {
        path = paths_->add(outer, parent.items.size());
        parent.items.emplace_back();
        node = &parent.items.back();
      }
    }
    node->kind = kind;
    node->file = name_;
    node->line = line;
    node->path = {paths_, path};
    last_path_ = path;
    return *node;
  }
  bool open(ConfigNode::Kind kind) {
    ConfigNode& node = add(kind);
    stack_.push_back({&node, last_path_, {}});
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  SourceName name_;
  std::string file_;
  std::shared_ptr<KeyPaths> paths_ = std::make_shared<KeyPaths>();
  KeyPaths::Id last_path_ = KeyPaths::kRoot;  ///< path of the value that add() has made
  std::string key_, text_, number_;
  // An object or list that is not closed yet, with the data to find duplicate keys. In an object with fewer
  // than kFew members, a new key is compared with all keys. In a larger object, hashes of the keys find the
  // duplicate, because a result file has thousands of counters in one object.
  struct Open {
    static constexpr std::size_t kFew = 16;
    ConfigNode* node;
    KeyPaths::Id path;
    std::unordered_set<std::size_t> hashes;

    bool may_have(const std::string& key) {
      const auto& members = node->members;
      if (members.size() < kFew) return true;
      const std::hash<std::string> hash;
      if (hashes.empty())
        for (const auto& [name, member] : members) hashes.insert(hash(name));
      return !hashes.insert(hash(key)).second;
    }
  };
  std::vector<Open> stack_;
};

/// Returns the position after the comment that begins at `at`: `at` if no comment begins there, npos if the
/// comment is not closed.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  const bool line = text.substr(at).starts_with("//");
  if (!line && !text.substr(at).starts_with("/*")) return at;
  const std::size_t end = text.find(line ? "\n" : "*/", at + 2);
  if (end == std::string_view::npos) return line ? text.size() : end;
  return end + (line ? 0 : 2);
}

[[noreturn]] void fail_at(std::string_view text, std::size_t at, const std::string& file,
                          const std::string& what) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;
  throw Error(fmt::format("{}:{}:{}", file, line, column), "not valid JSON: " + what);
}

/// Returns the text with comments replaced by blanks. Boost's own support of comments rejects a value
/// directly after a comment.
std::string without_comments(std::string_view text, const std::string& file) {
  std::string plain(text);
  if (text.find("//") == std::string_view::npos && text.find("/*") == std::string_view::npos) return plain;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (const std::size_t behind = quoted ? i : behind_comment(text, i); behind != i) {
      if (behind == std::string_view::npos) fail_at(text, i, file, "a comment that is never closed by */");
      for (; i < behind; ++i)
        if (text[i] != '\n') plain[i] = ' ';
      --i;
    }
  }
  return plain;
}

boost::json::parse_options parse_options() {
  boost::json::parse_options options;
  options.max_depth = 64;
  return options;
}

// Throws the Error for invalid JSON. Parses the text again, one character at a time, to find the column.
[[noreturn]] void fail_where(const std::string& text, const std::string& file_name) {
  boost::json::basic_parser<TreeBuilder> parser(parse_options(), file_name);
  boost::json::error_code ec;
  int column = 0;
  const auto fail = [&](const std::string& what) {
    throw Error(file_name + ":" + std::to_string(parser.handler().line) + ":" + std::to_string(column),
                "not valid JSON: " + what);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i - 1] == '\n') {
      ++parser.handler().line;
      column = 0;
    }
    ++column;
    if (parser.done() && text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
      fail("text after the end of the value");
    parser.write_some(true, text.data() + i, 1, ec);
    if (ec) fail(ec.message());
  }
  parser.write_some(false, text.data(), 0, ec);
  fail(ec ? ec.message() : std::string("text after the end of the value"));
  std::abort();
}

// Parses the text to its end, or to the end of the line on which the root's member `member` begins.
ConfigNode parse_until(std::string_view commented, const std::string& file_name, const std::string& member) {
  if (commented.starts_with("\xef\xbb\xbf")) commented.remove_prefix(3);
  const std::string text = without_comments(commented, file_name);
  boost::json::basic_parser<TreeBuilder> parser(parse_options(), file_name);
  boost::json::error_code ec;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::size_t taken = parser.write_some(true, text.data() + begin, end - begin, ec);
    if (ec || taken < end - begin) fail_where(text, file_name);
    ++parser.handler().line;
    begin = end;
    if (!member.empty() && parser.handler().root.find(member)) return std::move(parser.handler().root);
  }
  parser.write_some(false, text.data(), 0, ec);
  if (ec) fail_where(text, file_name);
  return std::move(parser.handler().root);
}

}  // namespace

ConfigNode parse_config_text(std::string_view text, const std::string& file_name) {
  return parse_until(text, file_name, "");
}

ConfigNode parse_config_head(const std::string& path, const std::string& member) {
  return parse_until(read_text_file(path, "this file"), path, member);
}

ConfigNode parse_config_file(const std::string& path) {
  return parse_config_text(read_text_file(path, "this file"), path);
}

}  // namespace heddle

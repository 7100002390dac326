// Selects kernels of a module by a mangled or plain name.

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/core/unknown_name.h"
#include "models/ptx/module.h"
#include "models/ptx/module_data.h"

namespace heddle::ptx {
namespace {

std::size_t opening(const std::string& text, std::size_t close, char open_char, char close_char) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (text[i] == close_char) ++depth;
    if (text[i] == open_char && --depth == 0) return i;
  }
  return std::string::npos;
}

/// Changes "void ns::scale<float>(float*)" to "ns::scale<float>".
std::string strip_signature(std::string text) {
  if (const std::size_t close = text.find_last_of(')'); close != std::string::npos)
    if (const std::size_t open = opening(text, close, '(', ')'); open != std::string::npos && open != 0)
      text.resize(open);
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '>' || text[i] == ')') ++depth;
    if (text[i] == '<' || text[i] == '(') --depth;
    if (text[i] == ' ' && depth == 0) return text.substr(i + 1);
  }
  return text;
}

std::string strip_template(const std::string& text) {
  if (!text.ends_with('>')) return text;
  const std::size_t open = opening(text, text.size() - 1, '<', '>');
  return open == std::string::npos || open == 0 ? text : text.substr(0, open);
}

std::string strip_qualifiers(const std::string& text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 1;) {
    if (text[i] == '>' || text[i] == ')') ++depth;
    if (text[i] == '<' || text[i] == '(') --depth;
    if (depth == 0 && text[i] == ':' && text[i - 1] == ':') return text.substr(i + 1);
  }
  return text;
}

std::string list(const std::vector<KernelName>& kernels) {
  std::string text;
  for (const KernelName& k : kernels) {
    text += (text.empty() ? "" : ", ") + k.mangled;
    if (k.plain != k.mangled) text += " = " + k.plain;
  }
  return text.empty() ? "the file has no kernel" : text;
}

constexpr std::size_t kMostListed = 8;

std::string list_nearest(const std::vector<KernelName>& kernels, std::string_view name) {
  if (kernels.size() <= kMostListed) return list(kernels);
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::string& plain = kernels[k].plain;
    const bool part =
        plain.find(name) != std::string_view::npos || name.find(plain) != std::string_view::npos;
    order.emplace_back(part ? 0 : edit_distance(plain, name), k);
  }
  std::sort(order.begin(), order.end());
  std::vector<KernelName> nearest;
  for (std::size_t k = 0; k < kMostListed; ++k) nearest.push_back(kernels[order[k].second]);
  return list(nearest) + ", and " + std::to_string(kernels.size() - nearest.size()) + " more";
}

}  // namespace

// Demangles only names that begin with "_Z", because the demangler accepts other words as types ("h" would
// become "unsigned char").
std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

std::string plain_name(const std::string& mangled) { return strip_signature(demangled(mangled)); }

std::string with_plain_names(const std::string& text) {
  static constexpr std::string_view kBefore = "kernel _Z";
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(kBefore); at != std::string::npos; at = text.find(kBefore, done)) {
    const std::size_t begin = at + kBefore.size() - 2;
    std::size_t end = begin;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' ||
                                 text[end] == '$' || text[end] == '.'))
      ++end;
    out += text.substr(done, begin - done) + plain_name(text.substr(begin, end - begin));
    done = end;
  }
  return out + text.substr(done);
}

std::string Module::resolve_kernel(std::string_view name) const {
  std::vector<KernelName> found;
  for (const KernelName& kernel : kernels()) {
    if (kernel.mangled == name) return kernel.mangled;
    const std::string plain = kernel.plain;
    const std::string bare = strip_template(plain);
    if (name == demangled(kernel.mangled) || name == plain || name == bare ||
        name == strip_qualifiers(plain) || name == strip_qualifiers(bare))
      found.push_back(kernel);
  }
  if (found.size() == 1) return found.front().mangled;
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (found.empty()) {
    std::vector<std::string> plain;
    for (const KernelName& kernel : kernels()) plain.push_back(kernel.plain);
    throw Error(file(), "no kernel " + quoted + did_you_mean(std::string(name), plain),
                list_nearest(kernels(), name));
  }
  throw Error(file(), "kernel name " + quoted + " is ambiguous", list(found));
}

}  // namespace heddle::ptx

#include "tests/structure/class_sizes.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace heddle {
namespace {

std::string file_part(const std::string& path) { return path.substr(0, path.rfind('.')); }
std::string top_of(const std::string& path) { return path.substr(0, path.find('/')); }
std::string last_of(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}
std::string outer_of(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? "" : name.substr(0, at);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Call {
  std::string qualifier, name;
  std::size_t bracket = 0;
};
std::vector<Call> calls_in(const std::string& text) {
  std::vector<Call> found;
  const auto word_before = [&](std::size_t end) {
    std::size_t from = end;
    while (from > 0 && is_word(text[from - 1])) --from;
    return text.substr(from, end - from);
  };
  for (std::size_t at = 0; (at = text.find_first_of("({", at)) != std::string::npos; ++at) {
    Call call{{}, word_before(at), at};
    if (call.name.empty()) continue;
    std::size_t begin = at - call.name.size();
    if (begin > 2 && text.compare(begin - 2, 2, "::") == 0) {
      call.qualifier = word_before(begin - 2);
      begin -= 2 + call.qualifier.size();
    }
    if (begin > 0 && (text[begin - 1] == '.' || (begin > 1 && text.compare(begin - 2, 2, "->") == 0)))
      continue;
    found.push_back(std::move(call));
  }
  return found;
}

constexpr std::size_t kFewMembers =
    8;  ///< A struct with more members counts as shared state, with fewer as an argument of functions.

class Sizes {
 public:
  explicit Sizes(const std::vector<NamedSource>& sources) {
    for (const NamedSource& source : sources) {
      for (const SourceClass& c : source.text.classes) {
        by_name_[last_of(c.name)].push_back(classes_.size());
        classes_.push_back({&source.path, &c});
      }
      for (const SourceFunction& f : source.text.functions) functions_.push_back({&source.path, &f});
    }
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      const std::string& of = functions_[f].it->of;
      if (const Class* c = of.empty() ? nullptr : find(of, {}, *functions_[f].path))
        own_[c].push_back(f);
      else
        free_[functions_[f].it->name].push_back(f);
    }
    for (const Class& c : classes_) {
      for (const SourceMember& member : c.it->members)
        if (const Class* type = object_of(member, c)) held_[type].push_back(&c);
      for (const std::string& base : c.it->bases)
        if (const Class* type = find(base, c.it->name, *c.path)) derived_[type].push_back(&c);
    }
    for (const auto& [type, holders] : held_)
      if (holders.size() == 1 && is_bag(*type) && !holders.front()->it->name.empty())
        look_at(*type, *holders.front());
    note_calls();
  }

  std::vector<ClassSize> all() const {
    std::vector<ClassSize> found;
    for (const Class& c : classes_) found.push_back(size_of(c));
    return found;
  }

 private:
  struct Class {
    const std::string* path;
    const SourceClass* it;
  };
  struct Function {
    const std::string* path;
    const SourceFunction* it;
  };
  struct Sum {
    ClassSize size;
    std::set<const SourceFunction*> functions;
    std::set<const SourceClass*> classes;
  };

  void look_at(const Class& type, const Class& holder) {
    const std::string name = last_of(type.it->name);
    const std::regex value("\\b" + name + "\\s*(\\w+\\s*[;={(,]|[{(])"), word("\\b" + name + "\\b"),
        result("\\b" + name + "\\s+$");
    const auto is_meant = [&](const std::string& from, const std::string& path) {
      return find(name, from, path) == &type;
    };
    for (const Class& c : classes_)
      if (c.it->interface.find(name) != std::string::npos && std::regex_search(c.it->interface, word) &&
          is_meant(c.it->name, *c.path))
        others_[&type].push_back(&c);
    for (const Class& c : classes_)
      for (const SourceMember& member : c.it->members)
        if (member.type.find(name) != std::string::npos && std::regex_search(member.type, word) &&
            object_of(member, c) != &type && is_meant(c.it->name, *c.path))
          (is_address(member.type) ? borrowers_[&type] : others_[&type]).push_back(&c);
    for (const Function& f : functions_) {
      if (file_part(*f.path) == file_part(*holder.path) || file_part(*f.path) == file_part(*type.path))
        continue;
      if (f.it->body.find(name) == std::string::npos && f.it->result.find(name) == std::string::npos)
        continue;
      if ((std::regex_search(f.it->body, value) || std::regex_search(f.it->result, result)) &&
          is_meant(f.it->of, *f.path))
        others_[&type].push_back(&holder);
    }
  }

  /// Records which classes call each free function. If the caller is itself a free function, records its file
  /// instead.
  void note_calls() {
    for (const Function& f : functions_)
      for (const Call& call : calls_in(f.it->body))
        if (free_.contains(call.name))
          callers_[call.name].insert(f.it->of.empty() ? file_part(*f.path)
                                                      : f.it->of.substr(0, f.it->of.find(':')));
  }

  const Class* find(const std::string& name, const std::string& from, const std::string& path) const {
    const auto found = by_name_.find(last_of(name));
    if (found == by_name_.end()) return nullptr;
    const Class* best = nullptr;
    int most = 0;
    for (const std::size_t i : found->second) {
      const Class& c = classes_[i];
      if (!c.it->name.ends_with(name)) continue;
      const std::string outer = outer_of(c.it->name);
      const bool inside = !outer.empty() && (from == outer || from.starts_with(outer + "::"));
      const bool exact = c.it->name == name, near = file_part(*c.path) == file_part(path);
      if (!inside && !exact) continue;
      const int rank = 1 + 4 * inside + 2 * near + c.path->ends_with(".h");
      if (!inside && !near && !c.path->ends_with(".h")) continue;
      if (rank > most) best = &c, most = rank;
    }
    return best;
  }
  const Class* object_of(const SourceMember& member, const Class& in) const {
    return member.object.empty() ? nullptr : find(member.object, in.it->name, *in.path);
  }
  static bool is_address(const std::string& type) {
    return std::regex_search(type, std::regex("^[^=<]*[&*]"));
  }
  bool mentions(const std::string& text, const Class& type) const {
    const std::string name = last_of(type.it->name);
    return text.find(name) != std::string::npos && std::regex_search(text, std::regex("\\b" + name + "\\b"));
  }
  static bool is_bag(const Class& c) {
    const auto& declared = c.it->declared;
    return !c.it->hides && !c.it->members.empty() &&
           std::find(declared.begin(), declared.end(), "fields") == declared.end();
  }
  bool is_one_off(const Class& c) const {
    const auto holders = held_.find(&c);
    return is_bag(c) && holders != held_.end() && holders->second.size() == 1 && !others_.contains(&c);
  }

  ClassSize size_of(const Class& c) const {
    Sum sum;
    sum.size.path = *c.path;
    sum.size.name = c.it->name;
    add_class(c, c, sum);
    return sum.size;
  }

  void count(const Class& of, const SourceFunction& function, Sum& sum) const {
    if (!sum.functions.insert(&function).second) return;
    sum.size.lines += function.lines;
    const bool outside = function.of != of.it->name && !function.of.starts_with(of.it->name + "::");
    if (outside)
      sum.size.counted_in.push_back((function.of.empty() ? "" : function.of + "::") + function.name + ": " +
                                    std::to_string(function.lines));
  }

  void add_class(const Class& c, const Class& of, Sum& sum) const {
    if (!sum.classes.insert(c.it).second) return;
    if (const auto own = own_.find(&c); own != own_.end())
      for (const std::size_t f : own->second) {
        count(of, *functions_[f].it, sum);
        if (of.it->hides && (&c == &of || is_one_off(c))) add_called(functions_[f], of, sum);
      }
    for (const Class& inner : classes_)
      if (inner.path == c.path && outer_of(inner.it->name) == c.it->name) add_class(inner, of, sum);
    for (const SourceMember& member : c.it->members) {
      const Class* type = object_of(member, c);
      if (&c != &of && !is_one_off(c)) continue;
      if (type && is_one_off(*type) && !member.type.starts_with("const ")) {
        add_class(*type, of, sum);
        if (!of.it->hides) continue;
        for (const auto& [name, list] : free_)
          for (const std::size_t f : list)
            if (top_of(*functions_[f].path) == top_of(*of.path) &&
                mentions(functions_[f].it->parameters, *type) &&
                find(last_of(type->it->name), c.it->name, *functions_[f].path) == type)
              count(of, *functions_[f].it, sum);
        const auto borrowers = borrowers_.find(type);
        if (borrowers != borrowers_.end() && type->it->members.size() > kFewMembers)
          for (const Class* borrower : borrowers->second)
            if (borrower != &of) add_lines(*borrower, of, sum);
      } else {
        ++sum.size.members;
      }
    }
    if (&c != &of) return;
    for (const std::string& name : c.it->friends)
      if (const Class* other = find(name, c.it->name, *c.path); other && other->path == c.path)
        add_lines(*other, of, sum);
    for (const std::string& name : c.it->friend_functions)
      if (const auto found = free_.find(name); found != free_.end())
        for (const std::size_t f : nearest(found->second, *c.path)) count(of, *functions_[f].it, sum);
    for (const std::string& name : c.it->bases)
      if (const Class* base = find(name, c.it->name, *c.path);
          base && base != &c && derived_.at(base).size() == 1 && !base->it->members.empty())
        add_base(*base, of, sum);
  }
  void add_lines(const Class& c, const Class& of, Sum& sum) const {
    if (const auto own = own_.find(&c); own != own_.end())
      for (const std::size_t f : own->second) count(of, *functions_[f].it, sum);
  }
  void add_base(const Class& base, const Class& of, Sum& sum) const {
    add_lines(base, of, sum);
    sum.size.members += static_cast<int>(base.it->members.size());
  }

  void add_called(const Function& by, const Class& of, Sum& sum) const {
    static const std::regex bare("(?:[*&]|std::move\\(|std::as_const\\()?\\s*(\\w+)\\)?");
    const std::string& body = by.it->body;
    for (const Call& call : calls_in(body)) {
      int handed = 0;
      for (const std::string& argument : arguments_at(body, call.bracket)) {
        std::smatch match;
        if (std::regex_match(argument, match, bare) && has_member(of, match[1])) ++handed;
      }
      if (handed < 2) continue;
      const auto& [qualifier, name, bracket] = call;
      const auto found = free_.find(name);
      if (qualifier.empty() && found != free_.end() && callers_.at(name).size() == 1)
        for (const std::size_t f : nearest(found->second, *by.path)) count(of, *functions_[f].it, sum);
      const Class* const other = qualifier.empty() ? nullptr : find(qualifier, of.it->name, *by.path);
      if (!other || other == &of) continue;
      if (const auto own = own_.find(other); own != own_.end())
        for (const std::size_t f : own->second)
          if (functions_[f].it->name == name) count(of, *functions_[f].it, sum);
    }
  }
  bool has_member(const Class& c, const std::string& name) const {
    return std::any_of(c.it->members.begin(), c.it->members.end(),
                       [&](const SourceMember& m) { return m.name == name; });
  }
  /// Returns those functions with the same name that are in the file `path`, or all if the file has none.
  std::vector<std::size_t> nearest(const std::vector<std::size_t>& all, const std::string& path) const {
    std::vector<std::size_t> near;
    for (const std::size_t f : all)
      if (file_part(*functions_[f].path) == file_part(path)) near.push_back(f);
    return near.empty() ? all : near;
  }

  std::vector<Class> classes_;
  std::vector<Function> functions_;
  std::map<std::string, std::vector<std::size_t>> by_name_, free_;
  std::map<const Class*, std::vector<std::size_t>> own_;
  std::map<const Class*, std::vector<const Class*>> held_, derived_;
  /// For each one-off struct (class_sizes.h): classes that hold it by reference or pointer, and classes that
  /// hold it in another way.
  std::map<const Class*, std::vector<const Class*>> borrowers_, others_;
  std::map<std::string, std::set<std::string>> callers_;
};

}  // namespace

std::vector<ClassSize> class_sizes(const std::vector<NamedSource>& sources) { return Sizes(sources).all(); }

}  // namespace heddle

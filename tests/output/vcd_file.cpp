#include "tests/output/vcd_file.h"

#include <set>
#include <sstream>

namespace heddle::output {

bool VcdFile::Signal::toggles() const {
  std::set<std::string> values;
  for (const auto& [time, value] : changes)
    if (value != "x") values.insert(value);
  return values.size() > 1;
}

VcdFile read_vcd(const std::string& text) {
  VcdFile file;
  // names of each signal, by its VCD identifier; a signal may have several names
  std::map<std::string, std::vector<std::string>> names;
  std::vector<std::string> scopes;
  std::istringstream in(text);
  std::uint64_t time = 0;
  bool any_time = false, body = false;
  for (std::string word; in >> word;) {
    if (word == "$timescale") {
      for (std::string part; in >> part && part != "$end";) file.timescale += part;
    } else if (word == "$scope") {
      std::string kind, name;
      in >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string kind, width, id, leaf, full;
      in >> kind >> width >> id >> leaf;
      for (const std::string& scope : scopes) full += scope + ".";
      full += leaf.substr(0, leaf.find('['));
      names[id].push_back(full);
      file.signals[full].width = std::stoi(width);
    } else if (word == "$enddefinitions") {
      body = true;
    } else if (body && word[0] == '#') {
      const std::uint64_t next = std::stoull(word.substr(1));
      if (!any_time) file.first = next;
      file.in_order &= !any_time || next >= time;
      any_time = true;
      file.last = time = next;
    } else if (body && word[0] != '$') {
      std::string id = word.substr(1), value = word.substr(0, 1);
      if (word[0] == 'b') {
        value = word.substr(1);
        in >> id;
        const std::size_t first = value.find_first_not_of('0');
        value = first == std::string::npos ? "0" : value.substr(first);
        if (value.find_first_not_of('x') == std::string::npos) value = "x";
        if (value.find_first_not_of('z') == std::string::npos) value = "z";
      }
      for (const std::string& name : names[id]) file.signals[name].changes.emplace_back(time, value);
    }
  }
  return file;
}

}  // namespace heddle::output

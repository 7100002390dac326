#include "power/technology.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "power/object_view.h"

namespace heddle::power {
namespace {

const ObjectForm kBaselineForm("technology", "baseline", "a baseline",
                               {{"counter", "names"}, {"coefficient", "expression"}});
const TypeForm kStructureForm("technology", "structure", "/^[a-z0-9_]+\\.[a-z0-9_]+$/");
const ObjectForm kConditionForm("technology", "condition", "a condition",
                                {{"parameter!", "text", "a key of docs/parameters.md"},
                                 {"one_of!", "names", "values, or types of parts"}});
const ObjectForm kEntryForm("technology", "entry", "an entry",
                            {{"name!", "text"},
                             {"structure!", "structure"},
                             {"event", "structure",
                              "structure of the events, if the counters belong to another structure"},
                             {"kind!", "'dynamic'|'leakage'|'overhead'"},
                             {"counter!", "names"},
                             {"coefficient!", "expression"},
                             {"unit", "'pJ'|'mW'", "default: pJ"},
                             {"optional", "boolean"},
                             {"unless", "names"},
                             {"if", "condition", "the entry is ignored with other values"},
                             {"baseline", "'0'|baseline"},
                             {"doc", "string"}});
const ObjectForm kShareForm("technology", "share", "a share",
                            {{"name!", "text"},
                             {"structures!", "names"},
                             {"of", "'total'|'dynamic'|'static'", "default: total"},
                             {"share!", "expression"},
                             {"cost", "expression"},
                             {"doc", "string"}});
const ObjectForm kCheckForm("technology", "check", "a check",
                            {{"name!", "text"}, {"counters!", "names"}, {"times", "expression"}}, {},
                            "counters of one unit whose sum is the cycles of every launch, times `times`");
const ObjectForm kEventForm("technology", "event", "an event",
                            {{"structure!", "structure"},
                             {"kind!", "text", "as \"read\""},
                             {"counters!", "names",
                              "counters of the same accesses, in any unit: one technology prices them"}});
const ObjectForm kPartForm("technology", "part", "a part",
                           {{"name!", "text", "name in the line \"left out\" of accounts without its price"},
                            {"has!", "names", "the machine has the part if one of these counters exists"},
                            {"structures", "names",
                             "structures, one of which must have a price; default: one of the counters"},
                            {"leaks", "boolean", "its leakage needs a price, too"}});
const ObjectForm kTechnologyForm(
    "technology", "", "a technology",
    {{"$schema", "string"},
     {"format", "'1'"},
     {"name!", "text"},
     {"aliases", "names", "other names that configurations may use"},
     {"description!", "text"},
     {"scope", "names", "what its energies cover, for summaries; default: its groups of structures"},
     {"node_nm", "number|figure", "process that the figures are for, in nm"},
     {"extends", "path|path[]",
      "one or several technologies whose values, tables, entries, checks and shares this one inherits; later "
      "ones replace earlier ones of the same name. An extended technology is not used together with this "
      "one"},
     {"rank", "integer>=0|figure",
      "of the tables that price events of a structure, only the one with the highest rank is used; 0: base "
      "tables; default: 100"},
     {"what-if", "boolean", "limit study without hardware; its plain machine need not cost its baseline"},
     {"values", "(expression|ranged){}"},
     {"tables", "table{}"},
     {"entries", "entry[]"},
     {"checks", "check[]"},
     {"shares", "share[]"},
     {"events", "event[]", "events of hardware that this table adds (energy.md)"},
     {"parts", "part[]", "hardware that this table prices, and other accounts name as left out"}},
    {}, "Prices of the events that counters count. See energy.md.");

constexpr int kDeepest = 8;
constexpr int kFormat = 1;

Kind read_kind(const ObjectView& object) {
  for (const Kind kind : {Kind::dynamic, Kind::leakage, Kind::overhead})
    if (object.text("kind") == name_of(kind)) return kind;
  throw unknown_name(object.get("kind").where(), "kind", object.text("kind"),
                     {"dynamic", "leakage", "overhead"});
}

Share::Of read_share_of(const ObjectView& object) {
  const std::string of = object.text("of", "total");
  if (of == "total") return Share::Of::total;
  if (of == "dynamic") return Share::Of::dynamic;
  if (of == "static") return Share::Of::still;
  throw unknown_name(object.get("of").where(), "value", of, {"total", "dynamic", "static"});
}

bool read_unit(const ObjectView& object) {
  const std::string unit = object.text("unit", "pJ");
  if (unit == "pJ" || unit == "mW") return unit == "mW";
  throw Error(object.get("unit").where(), fmt::format("unknown unit \"{}\"", unit),
              "pJ (for each event), mW (while a cycle lasts)");
}

void read_baseline(const ConfigNode& node, const Definitions& definitions, Entry& entry) {
  if (node.is_integer && node.integer == 0) {
    entry.baseline = Entry::Baseline::none;
    return;
  }
  if (!node.is_object())
    throw Error(node.where(), "not a baseline",
                "0, or an object with \"counter\" and, where it differs, \"coefficient\"");
  const ObjectView object(node, kBaselineForm);
  entry.baseline = Entry::Baseline::own;
  entry.baseline_term = entry.spent;
  if (object.has("counter")) entry.baseline_term.counters = object.texts("counter");
  if (!object.has("coefficient")) return;
  entry.baseline_term.coefficient = object.get("coefficient");
  check_expression(entry.baseline_term.coefficient, definitions);
}

// Returns true for a name of the form "group.part" that contains only characters which expressions over
// results accept (docs/experiments.md).
bool is_structure(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == 0 || dot == std::string::npos || dot + 1 == name.size()) return false;
  return std::all_of(name.begin(), name.end(), [&](const char& c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || &c == &name[dot];
  });
}

std::string read_structure(const ObjectView& object, const char* key) {
  std::string name = object.text(key);
  if (!is_structure(name))
    throw Error(object.get(key).where(), fmt::format("\"{}\" names no part of a group", name),
                "group.part in small letters, digits and _, as in \"execution.int\"");
  return name;
}

Entry read_entry(const ConfigNode& node, const Definitions& definitions) {
  const ObjectView object(node, kEntryForm);
  Entry entry;
  entry.where = node.where();
  entry.name = object.text("name");
  entry.structure = read_structure(object, "structure");
  if (object.has("event")) entry.event = read_structure(object, "event");
  entry.kind = read_kind(object);
  entry.spent = {object.texts("counter"), object.get("coefficient")};
  check_expression(entry.spent.coefficient, definitions);
  entry.milliwatts = read_unit(object);
  entry.optional = object.flag("optional");
  if (object.has("unless")) entry.unless = object.texts("unless");
  if (const ConfigNode* condition = object.find("if")) {
    const ObjectView view(*condition, kConditionForm);
    entry.parameter = view.text("parameter");
    entry.one_of = view.texts("one_of");
  }
  if (const ConfigNode* baseline = object.find("baseline")) read_baseline(*baseline, definitions, entry);
  entry.doc = object.text("doc", "");
  return entry;
}

Share read_share(const ConfigNode& node, const Definitions& definitions) {
  const ObjectView object(node, kShareForm);
  Share share{object.text("name"),   object.text("doc", ""), object.texts("structures"),
              read_share_of(object), object.get("share"),    {},
              node.where()};
  check_expression(share.share, definitions);
  if (!object.has("cost")) return share;
  share.cost = object.get("cost");
  check_expression(share.cost, definitions);
  return share;
}

// Adds an item. The item replaces an item with the same name.
template <class Item>
void lay_on(std::vector<Item>& all, Item item) {
  const auto same = [&](const Item& other) { return other.name == item.name; };
  if (const auto twin = std::find_if(all.begin(), all.end(), same); twin != all.end())
    *twin = std::move(item);
  else
    all.push_back(std::move(item));
}

// Adds an item of a file. The item replaces an item with the same name from an extended file. Two items of the
// same name in one file are an error.
template <class Item>
void add_named(std::vector<Item>& all, Item item, std::map<std::string, std::string>& own) {
  const auto [first, fresh] = own.emplace(item.name, item.where);
  if (!fresh)
    throw Error(item.where, fmt::format("\"{}\" is there twice", item.name),
                fmt::format("one of each name; the first is at {}", first->second));
  lay_on(all, std::move(item));
}

const ConfigNode* list_of(const ObjectView& root, const char* key) {
  const ConfigNode* node = root.find(key);
  if (node && !node->is_array()) throw Error(node->where(), "expected a list");
  return node;
}

const ConfigNode* object_of(const ObjectView& root, const char* key) {
  const ConfigNode* node = root.find(key);
  if (node && !node->is_object()) throw Error(node->where(), "expected an object");
  return node;
}

ConfigNode without_range(const std::string& name, ConfigNode&& node, std::map<std::string, Range>& ranges) {
  if (!node.is_object() || (!node.find("low") && !node.find("high"))) return std::move(node);
  ConfigNode plain = node;
  std::erase_if(plain.members, [](const auto& member) {
    return member.first == "low" || member.first == "high" || member.first == "of";
  });
  const ConfigNode *low = node.find("low"), *value = plain.find("value"), *high = node.find("high");
  const auto is_number = [](const ConfigNode* end) { return end && end->is_number(); };
  if (!is_number(low) || !is_number(value) || !is_number(high) || low->number > value->number ||
      value->number > high->number)
    throw Error(node.where(), "not a value with its range",
                R"({"value": n, "low": n, "high": n, "source" or "assumed": ...}, low <= value <= high)");
  const ConfigNode* of = node.find("of");
  ranges.insert_or_assign(
      name, Range{low->number, value->number, high->number, of && of->is_string() ? of->text : name});
  return plain;
}

// Reads the tables and named values of a technology file into `into`. Moves the values out of `node` (the
// tree that `root` views), because copies would take most of the reading time.
void read_definitions(const ObjectView& root, ConfigNode& node, Definitions& into) {
  if (const ConfigNode* tables = object_of(root, "tables"))
    for (const auto& [name, table] : tables->members) into.tables.insert_or_assign(name, LookupTable(table));
  if (!object_of(root, "values")) return;
  ConfigNode& values = *node.find("values");
  for (auto& [name, value] : values.members) {
    into.ranges.erase(name);
    into.values.insert_or_assign(name, without_range(name, std::move(value), into.ranges));
  }
  for (const auto& [name, value] : values.members) check_expression(into.values.at(name), into);
}

int read_rank(const ConfigNode& node) {
  const ConfigNode& value = node.unwrapped();
  if (!value.is_integer || value.integer < 0 || value.integer > kOwnRank)
    throw Error(node.where(), "not a rank", fmt::format("0 (base tables) to {}", kOwnRank));
  return static_cast<int>(value.integer);
}

void add_event(Technology& technology, StorageEvent event) {
  std::erase_if(technology.events, [&](const StorageEvent& other) {
    return other.structure == event.structure && other.kind == event.kind;
  });
  technology.events.push_back(std::move(event));
}

void add_part(Technology& technology, MachinePart part) {
  std::erase_if(technology.parts, [&](const MachinePart& other) {
    return other.name == part.name && other.still == part.still;
  });
  technology.parts.push_back(std::move(part));
}

void read_machine(const ObjectView& root, Technology& technology) {
  if (const ConfigNode* list = list_of(root, "events"))
    for (const ConfigNode& item : list->items) {
      const ObjectView object(item, kEventForm);
      add_event(technology,
                {read_structure(object, "structure"), object.text("kind"), object.texts("counters")});
    }
  if (const ConfigNode* list = list_of(root, "parts"))
    for (const ConfigNode& item : list->items) {
      const ObjectView object(item, kPartForm);
      MachinePart part{object.text("name"), false, object.texts("has"), {}};
      if (object.has("structures")) part.structures = object.texts("structures");
      add_part(technology, part);
      part.still = true;
      if (object.flag("leaks")) add_part(technology, std::move(part));
    }
}

void lay_on(Technology& technology, Technology base) {
  for (auto& [name, table] : base.definitions.tables)
    technology.definitions.tables.insert_or_assign(name, std::move(table));
  for (auto& [name, value] : base.definitions.values) {
    technology.definitions.ranges.erase(name);
    technology.definitions.values.insert_or_assign(name, std::move(value));
  }
  for (const auto& [name, range] : base.definitions.ranges) technology.definitions.ranges[name] = range;
  for (Entry& entry : base.entries) lay_on(technology.entries, std::move(entry));
  for (CycleCheck& check : base.cycle_checks) lay_on(technology.cycle_checks, std::move(check));
  for (Share& share : base.shares) lay_on(technology.shares, std::move(share));
  for (StorageEvent& event : base.events) add_event(technology, std::move(event));
  for (MachinePart& part : base.parts) add_part(technology, std::move(part));
  technology.files.insert(technology.files.end(), base.files.begin(), base.files.end());
  technology.node_nm = base.node_nm;
  technology.scope = base.scope;
  technology.rank = base.rank;
  technology.what_if = technology.what_if || base.what_if;
}

// Returns the folder in which the technology files that `file` extends are looked up by name. If `file` lies
// in a folder configs/technology, this is that folder. If `file` lies in a pack (a folder with pack.json), it
// is configs/technology of the pack. Otherwise returns an empty path.
std::filesystem::path tables_with(const std::string& file) {
  constexpr const char* kTables = "configs/technology";
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.generic_string().ends_with(kTables)) return folder;
  std::error_code ec;
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (std::filesystem::is_regular_file(folder / "pack.json", ec)) return folder / kTables;
  return {};
}

// Returns the path of the technology file `name` in the folder tables_with(file); empty if there is no such
// file.
std::string sibling_of(const std::string& file, const std::string& name) {
  const std::filesystem::path folder = tables_with(file), sibling = folder / (name + ".json");
  std::error_code ec;
  return !folder.empty() && std::filesystem::is_regular_file(sibling, ec) ? sibling.string() : "";
}

/// All technologies that a technology extends, directly or indirectly, by file name. Each file is read only
/// once, although several technologies may extend it.
using Bases = std::map<std::string, Technology>;

Technology read(ConfigNode node, FindTechnology find, int depth, Bases& bases) {
  format_of(node, "a technology", kFormat, kFormat, false);
  const ObjectView root(node, kTechnologyForm);
  Technology technology;
  if (root.has("extends")) {
    const std::string where = root.get("extends").where();
    if (!find || depth == kDeepest) throw Error(where, "technologies extend each other without end");
    for (const std::string& name : root.texts("extends")) {
      std::string base = sibling_of(node.file, name);
      if (base.empty()) base = find(name, where);
      if (base == name && std::filesystem::path(base).is_relative())
        base = (std::filesystem::path(node.file.text()).parent_path() / base).string();
      auto known = bases.find(base);
      if (known == bases.end())
        known = bases.emplace(base, read(parse_config_file(base), find, depth + 1, bases)).first;
      if (technology.files.empty())
        technology = known->second;
      else
        lay_on(technology, known->second);
    }
  }
  technology.name = root.text("name");
  technology.description = root.text("description");
  technology.file = node.file;
  if (const ConfigNode* process = root.find("node_nm")) {
    const ConfigNode& value = process->unwrapped();
    if (!value.is_number() || value.number <= 0)
      throw Error(process->where(), "not a process node", "nanometres");
    technology.node_nm = value.number;
  }
  if (const ConfigNode* rank = root.find("rank")) technology.rank = read_rank(*rank);
  if (root.has("scope")) technology.scope = root.texts("scope");
  if (root.has("what-if")) technology.what_if = root.flag("what-if");
  technology.files.push_back(node.file);
  read_definitions(root, node, technology.definitions);
  read_machine(root, technology);
  std::map<std::string, std::string> entries, checks, shares;
  if (const ConfigNode* list = list_of(root, "entries"))
    for (const ConfigNode& item : list->items)
      add_named(technology.entries, read_entry(item, technology.definitions), entries);
  if (const ConfigNode* list = list_of(root, "checks"))
    for (const ConfigNode& item : list->items) {
      const ObjectView object(item, kCheckForm);
      CycleCheck check{object.text("name"), object.texts("counters"), {}, item.where()};
      if (const ConfigNode* times = object.find("times")) {
        check_expression(*times, technology.definitions);
        check.times = *times;
      }
      add_named(technology.cycle_checks, std::move(check), checks);
    }
  if (const ConfigNode* list = list_of(root, "shares"))
    for (const ConfigNode& item : list->items)
      add_named(technology.shares, read_share(item, technology.definitions), shares);
  return technology;
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::dynamic:
      return "dynamic";
    case Kind::leakage:
      return "leakage";
    case Kind::overhead:
      return "overhead";
  }
  return "?";
}

bool is_extended_by(const Technology& technology, const Technology& other) {
  return technology.file != other.file &&
         std::find(other.files.begin(), other.files.end(), technology.file) != other.files.end();
}

Technology read_technology(const std::string& file, FindTechnology find) {
  Bases bases;
  return read(parse_config_file(file), find, 0, bases);
}

Technology read_technology(const ConfigNode& root, FindTechnology find) {
  Bases bases;
  return read(root, find, 0, bases);
}

}  // namespace heddle::power

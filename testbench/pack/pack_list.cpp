#include "testbench/pack/pack_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/object_reader.h"
#include "testbench/launch/sealed_text.h"

namespace heddle::pack {
namespace {

constexpr const char* kFormatKey = "pack_format";
constexpr const char* kNames[] = {"run", "program", "experiment"};

const ObjectForm kFileForm("pack", "file", "a file of a pack",
                           {{"file!", "text", "path in the pack"},
                            {"bytes!", "integer>=0"},
                            {"fnv1a64!", "text", "FNV-1a hash (64 bits) of the bytes"}});
const ObjectForm kIdentityForm("pack", "identity", "the identity of a pack",
                               {{"key!", "text", "hash over names, sizes and hashes of the files"},
                                {"kind!", "'run'|'program'|'experiment'"},
                                {"result!", "text", "path of the result in the pack"},
                                {"heddle!", "text", "version of the program that made the pack"}});
const ObjectForm kListForm("pack", "", "the list of a pack",
                           {{"pack_format!", "'1'"},
                            {"content_fnv1a64!", "text", "FNV-1a hash (64 bits) of the other members"},
                            {"identity!", "identity"},
                            {"lacks!", "text[]", "parts of the result that the pack does not hold"},
                            {"files!", "file[]"}},
                           {}, "The list of a pack, its first file. See pack.md.");

// Throws Error unless the name of a packed file is a relative path without "..".
void check_name(const std::string& name, const std::string& pack) {
  const std::filesystem::path path(name);
  const bool plain =
      !name.empty() && path.is_relative() && name.find('\0') == std::string::npos &&
      name.find('\\') == std::string::npos && path.lexically_normal().generic_string() == name &&
      std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".." || part == "."; }) &&
      !name.ends_with('/');
  if (!plain)
    throw Error(pack, fmt::format("the path \"{}\" leads out of the pack", printable(name)),
                "relative paths below it");
}

Kind kind_of(const std::string& text, const std::string& pack) {
  const auto* const at = std::find(std::begin(kNames), std::end(kNames), text);
  if (at == std::end(kNames))
    throw Error(pack, fmt::format("a pack of unknown kind \"{}\"", printable(text)),
                "run, program, experiment");
  return static_cast<Kind>(at - std::begin(kNames));
}

PackedFile file_of(const ConfigNode& node) {
  const launch::ObjectReader in(node, kFileForm);
  const ConfigNode& bytes = in.get("bytes");
  if (!bytes.is_integer || bytes.integer < 0) throw Error(bytes.where(), "not a size", "integers >= 0");
  return {in.text("file"), static_cast<std::uint64_t>(bytes.integer), in.text("fnv1a64")};
}

}  // namespace

const char* name_of(Kind kind) { return kNames[static_cast<int>(kind)]; }

std::string key_of(const PackList& list) {
  std::string all;
  for (const PackedFile& file : list.files)
    all += fmt::format("{} {} {}\n", file.name, file.bytes, file.hash);
  return launch::hash_of_text(all);
}

std::string list_text(const PackList& list) {
  const auto text = [](const std::string& value) { return ConfigNode::make_string(value); };
  ConfigNode identity = ConfigNode::make_object(), files = ConfigNode::make_list();
  identity.members = {{"key", text(key_of(list))},
                      {"kind", text(name_of(list.kind))},
                      {"result", text(list.result)},
                      {"heddle", text(list.heddle)}};
  for (const PackedFile& file : list.files) {
    ConfigNode node = ConfigNode::make_object();
    node.members = {{"file", text(file.name)},
                    {"bytes", ConfigNode::make_count(file.bytes)},
                    {"fnv1a64", text(file.hash)}};
    files.items.push_back(std::move(node));
  }
  ConfigNode root = ConfigNode::make_object();
  root.members = {{"identity", std::move(identity)},
                  {"lacks", ConfigNode::make_texts(list.lacks)},
                  {"files", std::move(files)}};
  return launch::sealed_text(kFormatKey, kPackFormat, root);
}

PackList read_list(const std::string& text, const std::string& pack) {
  const launch::Unsealed unsealed = launch::unseal(text, kFormatKey, kPackFormat, "a pack", pack);
  if (!unsealed.error.empty()) throw Error(pack, "the list of the pack: " + unsealed.error);
  const launch::ObjectReader root(unsealed.content, kListForm);
  const launch::ObjectReader identity(root.get("identity"), kIdentityForm);
  PackList list;
  list.kind = kind_of(identity.text("kind"), pack);
  list.result = identity.text("result");
  list.heddle = identity.text("heddle");
  for (const ConfigNode& item : launch::ObjectReader::array(root.get("lacks")).items)
    list.lacks.push_back(launch::ObjectReader::text_of(item));
  std::set<std::string> names{kListName};
  for (const ConfigNode& item : launch::ObjectReader::array(root.get("files")).items) {
    list.files.push_back(file_of(item));
    check_name(list.files.back().name, pack);
    if (!names.insert(list.files.back().name).second)
      throw Error(pack,
                  fmt::format("the list of the pack names {} twice", printable(list.files.back().name)));
  }
  check_name(list.result, pack);
  if (key_of(list) != identity.text("key"))
    throw Error(pack, "the list of the pack: its key is that of other files");
  return list;
}

}  // namespace heddle::pack

#include "models/ptx/module.h"

#include <algorithm>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "models/ptx/function_addresses.h"
#include "models/ptx/heap_library.h"
#include "models/ptx/module_data.h"

namespace heddle::ptx {

Module::Module(std::unique_ptr<ModuleData> data) : data_(std::move(data)) {}
Module::~Module() = default;

const std::string& Module::version() const { return data_->syntax.version; }
const std::string& Module::target() const { return data_->syntax.target; }
int Module::address_bits() const { return data_->syntax.address_bits; }
const std::string& Module::file() const { return data_->source.file; }
const std::vector<KernelName>& Module::kernels() const { return data_->kernels; }
const std::vector<isa::ModuleVariable>& Module::variables() const { return data_->variables; }

const Function* ModuleData::find_function(std::string_view name) const {
  for (std::size_t hops = 0; hops <= syntax.aliases.size(); ++hops) {
    const auto alias = syntax.aliases.find(name);
    if (alias == syntax.aliases.end()) break;
    name = alias->second;
  }
  const auto it = syntax.function_by_name.find(name);
  return it == syntax.function_by_name.end() ? nullptr : &syntax.functions[it->second];
}

std::uint64_t ModuleData::address_of(const Function& function) const {
  constexpr std::uint64_t kFirst = 0x1000, kStep = 16;
  return kFirst + kStep * static_cast<std::uint64_t>(&function - syntax.functions.data());
}

std::set<std::uint64_t> function_addresses(const Module& module) {
  std::set<std::uint64_t> addresses;
  for (const Function& function : module.data().syntax.functions)
    addresses.insert(module.data().address_of(function));
  return addresses;
}

namespace {

void parse(ModuleData& data) {
  data.tokens = tokenize(data.source);
  data.syntax = parse_module_syntax(data.source, data.tokens);
}

void add_heap(ModuleData& data) {
  bool with_malloc = false, with_free = false;
  for (const Function& f : data.syntax.functions) {
    with_malloc = with_malloc || (!f.has_body && is_malloc(f.name));
    with_free = with_free || (!f.has_body && is_free(f.name));
  }
  if (!with_malloc && !with_free) return;
  data.own_lines =
      static_cast<std::uint32_t>(std::count(data.source.text.begin(), data.source.text.end(), '\n')) + 1;
  data.source.text += heap_library(with_malloc, with_free, data.syntax.address_bits);
  parse(data);
}

std::unique_ptr<ModuleData> read_module(std::string_view text, const std::string& file_name) {
  auto data = std::make_unique<ModuleData>();
  data->source.file = file_name;
  data->source.text = text;
  parse(*data);
  add_heap(*data);
  for (const Function& f : data->syntax.functions)
    if (f.is_entry && f.has_body)
      data->kernels.push_back({std::string(f.name), plain_name(std::string(f.name))});
  return data;
}

}  // namespace

std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name) {
  VariableSpace space;
  return parse_module(text, file_name, space);
}

std::shared_ptr<const Module> parse_module(std::string_view text, const std::string& file_name,
                                           VariableSpace& space) {
  std::vector<std::unique_ptr<ModuleData>> one;
  one.push_back(read_module(text, file_name));
  lay_out_variables(one, space);
  return std::make_shared<const Module>(std::move(one.front()));
}

Modules parse_module_files(const std::vector<std::string>& paths, VariableSpace space) {
  std::vector<std::unique_ptr<ModuleData>> all;
  for (const std::string& path : paths) {
    all.push_back(read_module(read_text_file(path, "the PTX file"), path));
    const int bits = all.front()->syntax.address_bits;
    if (all.back()->syntax.address_bits != bits)
      throw Error(path, "pointers of another width than those of " + paths.front(),
                  ".address_size " + std::to_string(bits));
  }
  lay_out_variables(all, space);
  Modules modules;
  for (auto& data : all) modules.push_back(std::make_shared<const Module>(std::move(data)));
  return modules;
}

std::shared_ptr<const Module> parse_module_file(const std::string& path) {
  return parse_module(read_text_file(path, "the PTX file"), path);
}

}  // namespace heddle::ptx

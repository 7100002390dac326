// Assigns addresses to the .global and .const variables of modules. Evaluates their initialisers, which may
// contain addresses of other variables (PTX ISA 5.4.4).

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/address_size.h"
#include "models/isa/runtime_call.h"
#include "models/ptx/align.h"
#include "models/ptx/heap_library.h"
#include "models/ptx/initializer.h"
#include "models/ptx/module_data.h"
#include "models/ptx/sampler_initializer.h"

namespace heddle::ptx {
namespace {

// Largest initial contents of a variable in bytes; a larger initialiser is an error.
constexpr std::uint64_t kMostInitialBytes = 256 << 20;
// Alignment of variables in bytes. Addresses that cudaMalloc returns have the same alignment. Vector accesses
// to variables are therefore aligned.
constexpr std::uint64_t kBaseAlignment = 256;

/// Calls `step`. If `step` throws Error, stores the error in the symbol of the variable. Only a kernel that
/// uses the variable reports the error.
template <class Step>
void refuse_later(ModuleSymbol& symbol, Step step) {
  try {
    step();
  } catch (const Error& e) {
    std::string text = e.what();
    const std::string prefix = e.where() + ": ";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    text.resize(std::min(text.rfind(" in \""), text.size()));
    symbol.refusal = Refusal{symbol.variable->position, text, {}, {}};
  }
}

class Layout {
 public:
  Layout(ModuleData& module, VariableSpace& free) : module_(module), free_(free) {}

  void place_all() {
    for (const Variable& v : module_.syntax.variables) declare(v);
    for_each([this](ModuleSymbol& symbol) {
      if (is_device_memory(*symbol.variable) && !symbol.refusal) place(symbol);
    });
  }

  void place_run_time() {
    const Function* const printf = module_.find_function("vprintf");
    if (printf && !printf->has_body) place_own(isa::kPrintfBuffer, isa::kPrintfFirst + isa::kPrintfBytes);
    if (names("%envreg1") && names("%envreg2")) place_own(isa::kGridWorkspace, isa::kGridWorkspaceBytes);
  }

  /// Gives the heap variable the same address in all modules of a program. `listed`: an earlier module has
  /// the heap in its list of variables, so this module must not list it again. Returns true if this module
  /// uses the heap.
  bool place_heap(bool listed) {
    const auto it = module_.symbols.find(kHeapSymbol);
    if (it == module_.symbols.end()) return false;
    ModuleSymbol& symbol = it->second;
    const std::uint64_t most = isa::most_heap_bytes(module_.syntax.address_bits);
    if (free_.heap_bytes > most)
      throw Error("heap_bytes",
                  std::to_string(free_.heap_bytes) + " for a program with " +
                      std::to_string(module_.syntax.address_bits) + "-bit addresses",
                  "up to " + std::to_string(most));
    symbol.address = layout_.heap;
    symbol.bytes = free_.heap_bytes;
    symbol.refusal.reset();
    symbol.elsewhere = true;
    if (listed) return true;
    isa::ModuleVariable variable;
    variable.name = isa::kHeap;
    variable.address = symbol.address;
    variable.bytes = symbol.bytes;
    variable.initial = isa::heap_beginning(symbol.bytes);
    module_.variables.push_back(std::move(variable));
    return true;
  }

  void link(const ModuleData& other) {
    for_each([&](ModuleSymbol& symbol) {
      const auto it =
          symbol.variable->is_extern ? other.symbols.find(symbol.variable->name) : other.symbols.end();
      if (it == other.symbols.end()) return;
      const ModuleSymbol& there = it->second;
      if (there.variable->is_extern || there.address == 0 || there.variable->space != symbol.variable->space)
        return;
      symbol.address = there.address;
      symbol.bytes = there.bytes;
      symbol.refusal.reset();
      symbol.elsewhere = true;
    });
  }

  void record_all() {
    for_each([this](ModuleSymbol& symbol) {
      if (symbol.address != 0 && !symbol.elsewhere) record(symbol);
    });
    std::sort(module_.variables.begin(), module_.variables.end(),
              [](const auto& a, const auto& b) { return a.address < b.address; });
  }

 private:
  template <class Action>
  void for_each(Action action) {
    for (const Variable& v : module_.syntax.variables) {
      ModuleSymbol& symbol = module_.symbols.at(v.name);
      if (symbol.variable == &v) action(symbol);
    }
  }

  bool names(std::string_view word) const {
    return std::any_of(module_.tokens.begin(), module_.tokens.end(), [word](const Token& token) {
      return token.kind == TokenKind::identifier && token.text == word;
    });
  }

  void place_own(const char* name, std::uint64_t bytes) {
    isa::ModuleVariable variable;
    variable.name = name;
    variable.address = align_up(free_.global, kBaseAlignment);
    variable.bytes = bytes;
    free_.global = variable.address + variable.bytes + isa::kAllocationGap;
    module_.variables.push_back(std::move(variable));
  }

  static bool is_device_memory(const Variable& v) {
    return v.space == StateSpace::global || v.space == StateSpace::constant;
  }

  void declare(const Variable& v) {
    ModuleSymbol& symbol = module_.symbols[v.name];
    if (symbol.variable && !symbol.variable->is_extern) {
      if (v.is_extern) return;
      module_.source.fail(v.position, "variable \"" + std::string(v.name) + "\" is defined twice");
    }
    symbol = ModuleSymbol{};
    symbol.variable = &v;
    symbol.refusal = v.refusal;
  }

  void place(ModuleSymbol& symbol) {
    const Variable& v = *symbol.variable;
    if (v.is_unsized() && v.initializer.begin == v.initializer.end) {
      symbol.refusal = Refusal{v.position,
                               "variable \"" + std::string(v.name) + "\" is defined in another file",
                               {},
                               "variables of other files"};
      return;
    }
    refuse_later(symbol, [&] {
      symbol.bytes = v.bytes();
      if (v.range || v.type == isa::DataType::pred)
        module_.source.fail(v.position, "bad variable of the module");
      if (!v.is_unsized()) return;
      const std::uint64_t first = Initializer(module_, v).count_first_dimension();
      symbol.bytes = v.element_bytes() * first;
      for (std::size_t d = 1; d < v.dimensions.size(); ++d) symbol.bytes *= v.dimensions[d];
    });
    if (symbol.refusal) return;
    std::uint64_t& next = v.space == StateSpace::global ? free_.global : free_.constant;
    const std::uint64_t base = align_up(next, std::max(v.alignment(), kBaseAlignment));
    const std::uint64_t window_end = v.space == StateSpace::global ? layout_.heap : isa::kTextureHeaders;
    if (base + symbol.bytes > window_end) {
      symbol.refusal = Refusal{v.position, "the variables of the module exceed their window", {}, {}};
      return;
    }
    symbol.address = base;
    next = base + symbol.bytes + isa::kAllocationGap;
  }

  void record(ModuleSymbol& symbol) {
    const Variable& v = *symbol.variable;
    isa::ModuleVariable variable;
    variable.name = v.name;
    variable.space = v.space == StateSpace::global ? isa::Space::global : isa::Space::constant;
    variable.address = symbol.address;
    variable.bytes = symbol.bytes;
    if (v.opaque != OpaqueType::none)
      refuse_later(symbol, [&] { variable.initial = initial_header(module_, v); });
    else if (v.initializer.begin != v.initializer.end)
      refuse_later(symbol, [&] {
        if (symbol.bytes > kMostInitialBytes)
          module_.source.fail(v.position, "an initialised variable of this size");
        std::vector<std::uint64_t> shape = v.dimensions;
        if (!shape.empty() && shape[0] == 0) {
          std::uint64_t row = v.element_bytes();
          for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
          shape[0] = row ? symbol.bytes / row : 0;
        }
        if (v.vector != 1) shape.push_back(static_cast<std::uint64_t>(v.vector));
        variable.initial = Initializer(module_, v).read(shape, symbol.bytes);
      });
    module_.variables.push_back(std::move(variable));
  }

  ModuleData& module_;
  const isa::AddressLayout layout_ = isa::address_layout(module_.syntax.address_bits);
  VariableSpace& free_;
};

}  // namespace

void lay_out_variables(const std::vector<std::unique_ptr<ModuleData>>& modules, VariableSpace& free) {
  const isa::AddressLayout layout = isa::address_layout(modules.front()->syntax.address_bits);
  if (free.global == 0) free.global = layout.module_globals + isa::kAllocationGap;
  if (free.constant == 0) free.constant = isa::kConstWindow;
  std::vector<Layout> layouts;
  for (const auto& module : modules) layouts.emplace_back(*module, free);
  bool heap = false;
  for (Layout& one : layouts) {
    one.place_all();
    one.place_run_time();
    heap = one.place_heap(heap) || heap;
  }
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (std::size_t other = 0; other < modules.size(); ++other)
      if (i != other) layouts[i].link(*modules[other]);
  for (Layout& one : layouts) one.record_all();
}

}  // namespace heddle::ptx

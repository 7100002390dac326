#include "testbench/launch/parameter_facts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "models/isa/address_map.h"
#include "models/isa/runtime_call.h"
#include "testbench/launch/frame_places.h"

namespace heddle::launch {

using isa::DataType;

ElementType element_of(DataType type, unsigned bytes) {
  if (type == DataType::f32) return ElementType::f32;
  if (type == DataType::f64) return ElementType::f64;
  const bool is_signed = isa::is_signed(type);
  switch (bytes) {
    case 1:
      return is_signed ? ElementType::s8 : ElementType::u8;
    case 2:
      return is_signed ? ElementType::s16 : ElementType::u16;
    case 4:
      return is_signed ? ElementType::s32 : ElementType::u32;
    default:
      return is_signed ? ElementType::s64 : ElementType::u64;
  }
}

namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

// Where an address comes from: a part of the parameter block, a module variable, or memory to which another
// address points.
struct Source {
  static constexpr int kParameter = -1, kVariable = -2;
  std::uint32_t offset = 0;  ///< offset in the parameter block, or number of the variable
  int through =
      kParameter;  ///< kParameter, kVariable, or index of the source whose memory contains the address
  bool operator<(const Source& other) const {
    return std::pair(offset, through) < std::pair(other.offset, other.through);
  }
};

class Finder {
 public:
  Finder(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables, int address_bits,
         const std::set<std::uint64_t>& functions)
      : program_(program),
        variables_(variables),
        functions_(functions),
        pointer_bytes_(static_cast<unsigned>(address_bits) / 8),
        frame_(program),
        origins_(frame_.values()),
        multiples_(frame_.values()),
        certain_(frame_.values()) {
    for (std::uint32_t v = 0; v < variables.size(); ++v)
      variable_origins_.push_back({source({v, Source::kVariable})});
  }

  KernelFacts find() {
    const isa::Program& p = program_;
    do {
      changed_ = false;
      for (const Instruction& i : p.code) follow(i);
    } while (changed_);
    for (const Instruction& i : p.code)
      for (const Operand& o : i.sources())
        if (const auto v = variable(o); v && variables_[*v].name == isa::kPrintfBuffer)
          prints_.insert(i.location.ptx_line);
    for (const Instruction& i : p.code)
      reads_anywhere_ = reads_anywhere_ ||
                        (i.op == Opcode::ld && in_frame(i) && !frame_.moves(i) && !frame_.constant(i.src[0]));
    for (const Instruction& i : p.code) note(i);
    collect();
    return std::move(facts_);
  }

 private:
  using Set = std::set<int>;
  // An origin of an address is an index of sources_, or one of these numbers. kFrame: local memory.
  // kOwnShared: shared memory that the kernel declares.
  static constexpr int kFrame = -1, kOwnShared = -2;
  /// Addresses in memory may point to memory with further addresses. The analysis follows such chains through this many
  /// levels.
  static constexpr int kDeepest = 2;

  /// Returns the offset from which a load reads the parameter block; nothing for a load of other memory.
  std::optional<std::uint32_t> param_offset(const Instruction& i) const {
    if (i.op != Opcode::ld) return std::nullopt;
    const auto address = frame_.constant(i.src[0]);
    if (!address || isa::window_of(*address) != isa::Window::param) return std::nullopt;
    return static_cast<std::uint32_t>(*address + static_cast<std::uint64_t>(i.memory.offset) -
                                      isa::kParamWindow);
  }

  bool in_frame(const Instruction& i) const { return origins(i.src[0]).contains(kFrame); }
  void follow_store(const Instruction& i) {
    for (int e = 0; e < elements_of(i); ++e)
      if (const auto to = frame_.place(i, e)) {
        const Operand& value = i.src[static_cast<std::size_t>(e) + 1];
        add(*to, origins(value), multiple(value), is_certain(value));
      }
  }

  int source(const Source& s) {
    const auto [it, is_new] = index_.try_emplace(s, static_cast<int>(sources_.size()));
    if (is_new) sources_.push_back(s);
    return it->second;
  }
  int depth(int s) const {
    return sources_[static_cast<std::size_t>(s)].through < 0
               ? 0
               : 1 + depth(sources_[static_cast<std::size_t>(s)].through);
  }

  const Set& origins(const Operand& o) const {
    static const Set none, frame{kFrame}, own_shared{kOwnShared};
    if (o.is_reg()) return origins_[o.reg.value];
    if (const auto v = variable(o)) return variable_origins_[*v];
    if (o.kind != Operand::Kind::immediate) return none;
    const isa::Window window = isa::window_of(o.value);
    return window == isa::Window::local ? frame : window == isa::Window::shared ? own_shared : none;
  }
  std::optional<std::size_t> variable(const Operand& o) const {
    if (o.kind != Operand::Kind::immediate || o.bits < 32) return std::nullopt;
    const auto named = std::find_if(variables_.begin(), variables_.end(), [&](const isa::ModuleVariable& v) {
      return o.value >= v.address && o.value < v.address + v.bytes;
    });
    if (named == variables_.end()) return std::nullopt;
    return static_cast<std::size_t>(named - variables_.begin());
  }
  /// Returns the greatest common divisor of an operand's possible values. For addresses, returns the greatest
  /// common divisor of their offsets.
  std::uint64_t multiple(const Operand& o) const {
    if (o.is_reg()) return multiples_[o.reg.value];
    if (const auto v = variable(o)) return o.value - variables_[*v].address;
    return o.kind == Operand::Kind::immediate ? o.value : 1;
  }

  void add(const Operand& to, const Set& set, std::uint64_t multiple, bool certain) {
    if (!to.is_reg()) return;
    Set& known = origins_[to.reg.value];
    const std::size_t before = known.size();
    known.insert(set.begin(), set.end());
    std::uint64_t& m = multiples_[to.reg.value];
    const std::uint64_t both = std::gcd(m, multiple);
    changed_ = changed_ || known.size() != before || both != m || (certain && !certain_[to.reg.value]);
    m = both;
    certain_[to.reg.value] = certain_[to.reg.value] || certain;
  }

  bool is_certain(const Operand& o) const { return o.is_reg() && certain_[o.reg.value]; }

  // Returns the possible origins of the address in a sum of address and offset. If only one operand `a` or
  // `b` of the sum is known to be an address, returns the origins of this operand, otherwise the origins of
  // both operands.
  Set base(const Operand& a, const Operand& b) const {
    if (is_certain(a) != is_certain(b)) return origins(is_certain(a) ? a : b);
    Set both = origins(a);
    both.insert(origins(b).begin(), origins(b).end());
    return both;
  }

  void follow(const Instruction& i) {
    if (i.op == Opcode::st) follow_store(i);
    if (i.num_dst == 0) return;
    const Operand& to = i.dst[0];
    switch (i.op) {
      case Opcode::ld:
        follow_load(i);
        break;
      case Opcode::cvta:
        add(to, origins(i.src[0]), multiple(i.src[0]), true);
        break;
      case Opcode::mov:
        add(to, origins(i.src[0]), multiple(i.src[0]), is_certain(i.src[0]));
        break;
      case Opcode::cvt:
        add(to,
            isa::bits_of(i.source_type) == static_cast<int>(8 * pointer_bytes_) ? origins(i.src[0]) : Set{},
            multiple(i.src[0]), is_certain(i.src[0]));
        break;
      case Opcode::add:
      case Opcode::sub:
      case Opcode::selp:
      case Opcode::min:
      case Opcode::max:
      case Opcode::or_:
        add(to, base(i.src[0], i.src[1]), std::gcd(multiple(i.src[0]), multiple(i.src[1])),
            is_certain(i.src[0]) || is_certain(i.src[1]));
        break;
      case Opcode::and_:
        add(to, base(i.src[0], i.src[1]), 1, false);
        break;
      case Opcode::mul:
        add(to, {}, multiple(i.src[0]) * multiple(i.src[1]), false);
        break;
      case Opcode::mad:
        add(to, origins(i.src[2]), std::gcd(multiple(i.src[0]) * multiple(i.src[1]), multiple(i.src[2])),
            is_certain(i.src[2]));
        break;
      case Opcode::shl:
        if (i.src[1].kind == Operand::Kind::immediate && i.src[1].value < 32)
          add(to, {}, multiple(i.src[0]) << i.src[1].value, false);
        else
          add(to, {}, multiple(i.src[0]), false);
        break;
      default:
        for (const Operand& written : i.destinations()) add(written, {}, 1, false);
    }
  }

  void follow_load(const Instruction& i) {
    const std::optional<std::uint32_t> offset = param_offset(i);
    for (int e = 0; e < i.num_dst; ++e) {
      Set from;
      const bool wide = i.memory.element_bytes == pointer_bytes_ && !isa::is_float(i.type);
      if (offset) {
        if (wide) from.insert(source({*offset + element_offset(i, e)}));
        add(i.dst[static_cast<std::size_t>(e)], from, wide ? 0 : 1, false);
        continue;
      }
      if (const auto kept = frame_.place(i, e)) {
        add(i.dst[static_cast<std::size_t>(e)], origins(*kept), multiple(*kept), is_certain(*kept));
        continue;
      }
      bool address = false;
      if (wide && i.memory.space != isa::Space::shared && i.memory.space != isa::Space::local)
        for (const int o : origins(i.src[0]))
          if (o >= 0 && depth(o) <= kDeepest) {
            from.insert(source({0, o}));
            address = address || depth(o) < kDeepest;
          }
      add(i.dst[static_cast<std::size_t>(e)], from, address ? 0 : 1, false);
    }
  }

  struct Accesses {
    bool read = false, written = false, atomics = false;
    std::map<ElementType, int> types;
    std::uint64_t stride = 0;
  };

  void note(const Instruction& i) {
    for (const Operand& o : i.sources()) {
      if (!prints_.contains(i.location.ptx_line)) note_extents(o);
      note_operand(o);
    }
    if (const auto first = param_offset(i)) {
      for (int e = 0; e < i.num_dst; ++e) {
        const std::uint32_t offset = *first + element_offset(i, e);
        loads_.try_emplace(offset, std::pair<std::uint32_t, ElementType>(
                                       i.memory.element_bytes, element_of(i.type, i.memory.element_bytes)));
        if (i.dst[static_cast<std::size_t>(e)].is_reg())
          loaded_[i.dst[static_cast<std::size_t>(e)].reg.value] = offset;
      }
      return;
    }
    note_signs(i);
    note_place(i);
    note_functions(i);
    const bool atomic = i.op == Opcode::atom || i.op == Opcode::red,
               load = i.op == Opcode::ld || i.op == Opcode::copy;
    if (i.op == Opcode::cvta && i.memory.space == isa::Space::shared) note_shared(i);
    if (!load && i.op != Opcode::st && !atomic) return;
    if (i.memory.space == isa::Space::shared) note_shared(i);
    if (i.memory.space == isa::Space::shared || i.memory.space == isa::Space::local ||
        i.memory.space == isa::Space::param)
      return;
    for (const int o : origins(i.src[0])) {
      if (o < 0 || depth(o) > kDeepest) continue;
      Accesses& a = accesses_[o];
      a.read = a.read || i.op != Opcode::st;
      a.written = a.written || !load;
      a.atomics = a.atomics || atomic;
      ++a.types[element_of(i.type, i.memory.element_bytes)];
      a.stride = std::gcd(a.stride, multiple(i.src[0]));
      facts_.atomics = facts_.atomics || atomic;
      facts_.float_atomics = facts_.float_atomics || (atomic && isa::is_float(i.type));
    }
  }

  // Finds parameters that are addresses of shared memory. If the address of an access is computed from a
  // shared variable of the kernel, a parameter in this computation is only an index, so it is ignored.
  void note_shared(const Instruction& i) {
    const Set& from = origins(i.src[0]);
    if (from.contains(kOwnShared)) return;
    for (const int o : from) {
      if (o < 0 || sources_[static_cast<std::size_t>(o)].through != Source::kParameter) continue;
      Accesses& a = shared_[o];
      if (i.op == Opcode::cvta) continue;
      a.read = a.read || i.op != Opcode::st;
      a.written = a.written || i.op != Opcode::ld;
      a.atomics = a.atomics || i.op == Opcode::atom || i.op == Opcode::red;
      ++a.types[element_of(i.type, i.memory.element_bytes)];
    }
  }

  // Follows parameters that are stored at fixed offsets of local memory. A parameter that is stored elsewhere
  // is not followed.
  void note_place(const Instruction& i) {
    if ((i.op != Opcode::ld && i.op != Opcode::st) || !in_frame(i)) return;
    for (int e = 0; e < elements_of(i); ++e) {
      const Operand& value =
          i.op == Opcode::ld ? i.dst[static_cast<std::size_t>(e)] : i.src[static_cast<std::size_t>(e) + 1];
      const auto at = frame_.place(i, e);
      if (at && value.is_reg() && !frame_.moves(i)) {
        const Operand &from = i.op == Opcode::ld ? *at : value, &to = i.op == Opcode::ld ? value : *at;
        if (const auto it = loaded_.find(from.reg.value); it != loaded_.end())
          loaded_[to.reg.value] = it->second;
      }
      if (i.op == Opcode::ld || (at && (frame_.is_read(*at) || !reads_anywhere_))) continue;
      for (const int o : origins(value))
        if (o >= 0 && sources_[static_cast<std::size_t>(o)].through == Source::kParameter)
          lost_.insert(sources_[static_cast<std::size_t>(o)].offset);
    }
  }
  // Finds addresses of functions in comparisons: a call through a register is parsed to comparisons of this
  // register with the functions' addresses.
  void note_functions(const Instruction& i) {
    if (i.op != Opcode::setp || i.num_src < 2 || i.src[1].kind != Operand::Kind::immediate) return;
    if (isa::bits_of(i.type) != static_cast<int>(8 * pointer_bytes_) || !functions_.contains(i.src[1].value))
      return;
    for (const int o : origins(i.src[0])) {
      if (o < 0) continue;
      const Source& from = sources_[static_cast<std::size_t>(o)];
      if (from.through >= 0)
        tables_.insert(from.through);
      else if (from.through == Source::kParameter)
        called_.insert(from.offset);
    }
  }
  void note_signs(const Instruction& i) {
    const DataType type = i.op == Opcode::cvt ? i.source_type : i.type;
    for (const Operand& o : i.sources())
      if (o.is_reg() && isa::is_signed(type))
        if (const auto it = loaded_.find(o.reg.value); it != loaded_.end()) signed_.insert(it->second);
  }

  void note_extents(const Operand& o) {
    using S = isa::SpecialRegister;
    if (o.kind != Operand::Kind::special) return;
    const auto up = [](int& dimensions, int to) { dimensions = std::max(dimensions, to); };
    if (o.special == S::ctaid_y || o.special == S::nctaid_y) up(facts_.grid_dimensions, 2);
    if (o.special == S::ctaid_z || o.special == S::nctaid_z) up(facts_.grid_dimensions, 3);
    if (o.special == S::tid_y || o.special == S::ntid_y) up(facts_.block_dimensions, 2);
    if (o.special == S::tid_z || o.special == S::ntid_z) up(facts_.block_dimensions, 3);
  }

  void note_operand(const Operand& o) {
    if (o.kind != Operand::Kind::immediate || o.bits < 32) return;
    // An immediate counts as an address of dynamic shared memory if it lies after the kernel's own variables
    // and within the first 48 KB of shared memory.
    constexpr std::uint64_t kMostSharedBytes = 48 * 1024;
    if (isa::window_of(o.value) == isa::Window::shared) {
      const std::uint64_t at = o.value - isa::kSharedWindow;
      if (at >= program_.shared_bytes && at < kMostSharedBytes) facts_.dynamic_shared = true;
    }
    if (const auto v = variable(o)) facts_.variables[variables_[*v].address];
  }

  PartFacts part_of(int source, const Accesses& a) const {
    PartFacts part;
    part.address = true;
    part.bytes = pointer_bytes_;
    part.type = pointer_bytes_ == 4 ? ElementType::u32 : ElementType::u64;
    part.read = a.read;
    part.written = a.written;
    part.atomics = a.atomics;
    part.stride = a.stride;
    part.functions = tables_.contains(source);
    std::vector<std::pair<int, ElementType>> order;
    for (const auto& [type, count] : a.types) order.emplace_back(-count, type);
    std::sort(order.begin(), order.end());
    for (const auto& [count, type] : order) part.elements.push_back(type);
    for (const auto& [other, accesses] : accesses_)
      if (sources_[static_cast<std::size_t>(other)].through == source && part.targets.empty())
        part.targets.push_back(part_of(other, accesses));
    return part;
  }

  bool points_to_shared(std::uint32_t offset) const {
    return std::any_of(program_.parameters.begin(), program_.parameters.end(),
                       [&](const isa::KernelParameter& p) { return p.offset == offset && p.shared_pointer; });
  }

  void collect() {
    for (const auto& [offset, load] : loads_) {
      PartFacts part;
      part.offset = offset;
      part.bytes = load.first;
      part.type = load.second;
      if (signed_.contains(offset)) part.type = element_of(DataType::s32, load.first);
      const auto it = index_.find({offset});
      const bool tracked = it != index_.end() && load.first == pointer_bytes_;
      if (const bool shared = tracked && shared_.contains(it->second); shared || points_to_shared(offset)) {
        if (shared) part = part_of(it->second, shared_.at(it->second));
        part.bytes = load.first;
        part.address = false;
        part.shared = true;
        part.offset = offset;
      } else if (tracked && accesses_.contains(it->second)) {
        part = part_of(it->second, accesses_.at(it->second));
        part.offset = offset;
      }
      part.lost = !part.address && !part.shared && lost_.contains(offset);
      if (!part.address) part.functions = called_.contains(offset);
      facts_.parts.push_back(std::move(part));
    }
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      const auto named = facts_.variables.find(variables_[v].address);
      const int from = *variable_origins_[v].begin();
      if (named != facts_.variables.end() && accesses_.contains(from))
        named->second = part_of(from, accesses_.at(from));
    }
  }

  const isa::Program& program_;
  const std::vector<isa::ModuleVariable>& variables_;
  const std::set<std::uint64_t>& functions_;
  unsigned pointer_bytes_;
  FramePlaces frame_;
  std::vector<Source> sources_;
  std::map<Source, int> index_;
  std::vector<Set> variable_origins_;
  std::vector<Set> origins_;  // for each register, the origins of the addresses that it may hold
  // greatest common divisor of the values that are written to each register; 0: no write is known
  std::vector<std::uint64_t> multiples_;
  // for each register, true if its value is certainly an address: computed from a result of cvta (conversion
  // of an address between state spaces)
  std::vector<bool> certain_;
  // parts of the parameter block that the kernel loads, by offset
  std::map<std::uint32_t, std::pair<std::uint32_t, ElementType>> loads_;
  // offset in the parameter block from which each register was loaded, by register
  std::map<std::uint32_t, std::uint32_t> loaded_;
  std::set<std::uint32_t> signed_, lost_;
  std::set<std::uint32_t> called_;
  std::set<int> tables_;
  std::set<std::uint32_t>
      prints_;  // PTX lines of printf calls; their accesses say nothing about the sizes of buffers
  bool reads_anywhere_ = false;
  std::map<int, Accesses> accesses_;  // accesses through the addresses of each source
  std::map<int, Accesses> shared_;    // accesses through each parameter that is a shared-memory address
  KernelFacts facts_;
  bool changed_ = false;
};

}  // namespace

KernelFacts find_facts(const isa::Program& program, const std::vector<isa::ModuleVariable>& variables,
                       int address_bits, const std::set<std::uint64_t>& functions) {
  return Finder(program, variables, address_bits, functions).find();
}

}  // namespace heddle::launch

#include "models/compiler/listing.h"

#include <fmt/format.h>

#include <iterator>

#include "models/compiler/control_flow.h"
#include "models/compiler/divergence.h"
#include "models/compiler/liveness.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;

class Listing {
 public:
  explicit Listing(const isa::Program& program)
      : program_(program),
        flow_(program),
        thread_(program, flow_),
        divergence_(program, flow_),
        warp_(program, flow_, thread_, divergence_) {}

  std::string make() {
    header();
    for (int b = 0; b < flow_.size(); ++b) {
      block(b);
      for (std::uint32_t n = flow_.block(b).first; n < flow_.block(b).end; ++n) instruction(n);
    }
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void header() {
    int overhead = 0, fills = 0, spills = 0;
    for (const Instruction& i : program_.code) {
      overhead += i.overhead;
      fills += i.overhead && i.op == isa::Opcode::ld;
      spills += i.overhead && i.op == isa::Opcode::st;
    }
    line("kernel {} ({})", program_.kernel, program_.file);
    line("  {} registers: {} words, {} predicates; most live at once: {} words, {} predicates",
         program_.architected ? "architected" : "virtual", program_.registers, program_.predicates,
         thread_.max_words(), thread_.max_predicates());
    line("  shared {} bytes, local {} bytes a thread, parameters {} bytes", program_.shared_bytes,
         program_.local_bytes, program_.parameter_bytes);
    line("  {} instructions, {} of them overhead: {} spill stores, {} spill loads", program_.code.size(),
         overhead, spills, fills);
  }

  void block(int b) {
    const BasicBlock& block = flow_.block(b);
    std::string to;
    for (const int s : block.successors) to += fmt::format("{}{}", to.empty() ? "" : ", ", s);
    if (block.exits) to += to.empty() ? "exit" : ", exit";
    text_ += '\n';
    line("block {}{}: loop depth {}, to {}{}{}", b, label(block.first), block.loop_depth, to,
         program_.architected && divergence_.partial(b) ? ", some lanes may be elsewhere" : "",
         block.reachable ? "" : ", unreachable");
  }

  std::string label(std::size_t n) const {
    return n < program_.labels.size() && !program_.labels[n].empty() ? " (" + program_.labels[n] + ")" : "";
  }

  static std::string counts(const LiveSets& live, std::size_t n) {
    return fmt::format("{}/{}", live.words_live_before(n), live.predicates_live_before(n));
  }

  void instruction(std::uint32_t n) {
    const Instruction& i = program_.code[n];
    const std::string thread = counts(thread_, n), warp = counts(warp_, n);
    std::string notes;
    const auto note = [&](const std::string& s) { notes += (notes.empty() ? "" : "; ") + s; };
    if (program_.architected && i.is_branch() && i.guard.present) {
      note(!divergence_.splits(flow_.block_of(n)) ? "uniform"
           : i.reconvergence == isa::kNoTarget    ? "diverges until exit"
                                                  : fmt::format("meets at {}", i.reconvergence));
    }
    if (i.metadata) note("metadata");
    if (i.overhead) note("overhead");
    if (i.location.line != 0) note(source(i));
    line("  {:5} {:06x}  {:>7} {:9}  {:<52}{}{}", n, program_.address_of(n), thread,
         warp == thread || !program_.architected ? "" : "[" + warp + "]", to_string(i),
         notes.empty() ? "" : " ; ", notes);
  }

  std::string source(const Instruction& i) const {
    const std::string file = i.location.file < program_.files.size() ? program_.files[i.location.file]
                                                                     : std::to_string(i.location.file);
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), i.location.line);
  }

  const isa::Program& program_;
  ControlFlow flow_;
  LiveSets thread_;
  Divergence divergence_;
  WarpLiveSets warp_;
  std::string text_;
};

}  // namespace

std::string make_listing(const isa::Program& program) { return Listing(program).make(); }

}  // namespace heddle::compiler

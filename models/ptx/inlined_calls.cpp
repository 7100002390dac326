// Inlines a call: translates the function's body again for this call. The caller's parameter blocks become
// the function's parameters.

#include "models/core/error.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

// Limit on the inlined calls of a kernel. If every function calls the next function twice, the number of
// inlined calls doubles with each level of calls.
constexpr std::size_t kMostCalls = 20'000;

}  // namespace

void CallLowering::enter(const Statement& s, const Function& f) {
  const CallSyntax& c = s.call;
  check_call(s, f);
  if (++scope_.context.calls > kMostCalls)
    scope_.fail(s.position,
                "kernel " + std::string(scope_.context.stack.front()->name) + " makes more than " +
                    std::to_string(kMostCalls) + " calls once those of its functions are inlined",
                "fewer calls, or functions that call each other less often");
  if (!f.has_body) return runtime_.runtime_call(s, f);
  if (scope_.context.framed.count(&f) && scope_.context.keeps_calls) {
    const int bits = scope_.context.module.syntax.address_bits;
    return kept_call(s, {&f}, Operand::make_immediate(scope_.context.module.address_of(f), bits));
  }
  if (scope_.context.framed.count(&f)) return stacked_call(s, f);
  scope_.context.stack.push_back(&f);
  {
    const bool of_run_time = f.position.line > scope_.context.module.own_lines;
    FunctionLowering inlined(scope_.context, f, prefix_of(f), scope_.frame.local_end(), scope_.owner,
                             !of_run_time       ? Position{}
                             : scope_.site.line ? scope_.site
                                                : s.position);
    std::vector<Binding> results;
    for (std::size_t r = 0; r < c.results.size(); ++r)
      results.push_back(bindings_.bind_result(s, f.results[r], c.results[r]));
    for (const Binding& binding : results) inlined.bind(binding);
    for (std::size_t a = 0; a < c.arguments.size(); ++a)
      inlined.bind(bindings_.bind_argument(s, f.parameters[a], c.arguments[a]));
    const SourceLocation location = scope_.context.builder.location();
    inlined.run();
    scope_.context.builder.set_location(location);
    for (std::size_t r = 0; r < c.results.size(); ++r) bindings_.fetch_result(s, results[r], c.results[r]);
  }
  scope_.context.stack.pop_back();
}

}  // namespace heddle::ptx

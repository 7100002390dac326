#include "models/ptx/declaration_lowering.h"

#include "models/isa/address_map.h"

namespace heddle::ptx {

using namespace isa;

void DeclarationLowering::declare(const Variable& v) {
  if (v.initializer.begin != v.initializer.end && v.space != StateSpace::global &&
      v.space != StateSpace::constant)
    scope_.fail(v.position, "variables of this state space cannot be initialised");
  Symbol symbol;
  symbol.bytes = v.bytes();
  switch (v.space) {
    case StateSpace::reg:
      if (v.refusal) scope_.context.module.source.fail(*v.refusal);
      return scope_.frame.declare_register(v);
    case StateSpace::local:
      if (v.refusal) scope_.context.module.source.fail(*v.refusal);
      if (v.is_unsized() || v.type == DataType::pred) scope_.fail(v.position, "bad local variable");
      symbol.kind = scope_.owner == kNone ? Symbol::Kind::address : Symbol::Kind::frame;
      symbol.space = Space::local;
      symbol.address = scope_.owner == kNone
                           ? kLocalWindow + scope_.frame.place_local(v)
                           : scope_.context.frames.at(scope_.owner).place(v.bytes(), v.alignment());
      return scope_.frame.declare(v, symbol);
    case StateSpace::shared:
      symbol.kind = Symbol::Kind::storage;
      symbol.space = Space::shared;
      symbol.storage = scope_.context.storage_of(v);
      return scope_.frame.declare(v, symbol);
    case StateSpace::param:
      if (scope_.context.module.syntax.dialect.has_parameters_in_body() && scope_.frame.find(v.name)) return;
      if (scope_.context.keeps_calls && scope_.owner != kNone && !v.refusal && !v.is_unsized()) {
        symbol.kind = Symbol::Kind::frame;
        symbol.space = Space::local;
        symbol.address = scope_.context.frames.at(scope_.owner).place(v.bytes(), v.alignment());
        return scope_.frame.declare(v, symbol);
      }
      return scope_.frame.declare(v, places_.call_parameter(v, scope_.frame.prefix() + std::string(v.name)));
    case StateSpace::global:
    case StateSpace::constant:
      scope_.fail(v.position, "variables of this state space must stand outside of functions",
                  ".reg .shared .local .param");
  }
}

}  // namespace heddle::ptx

#include "testbench/run/origins.h"

#include <utility>

namespace heddle::run {

namespace {

void drop_origins(ConfigNode& node) {
  if (const ConfigNode& inner = node.unwrapped(); &inner != &node) {
    ConfigNode value = std::move(*node.find("value"));
    node = std::move(value);
  }
  for (auto& [key, member] : node.members) drop_origins(member);
  for (ConfigNode& item : node.items) drop_origins(item);
}

}  // namespace

ConfigNode without_origins(ConfigNode node) {
  drop_origins(node);
  return node;
}

}  // namespace heddle::run

#include "testbench/cosim/block_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle::cosim {

PortTable::PortTable(RtlModel& model) : model_(&model) {
  // Reserve space for all outputs, because references that add_output has returned must stay valid.
  outputs_.reserve(model.ports().size());
}

void PortTable::setting(const char* port, std::uint64_t value) {
  Port& p = take(port, false);
  p.put_field(0, std::min(p.width(), 64), value);
  settings_.emplace_back(port, value);
}

void PortTable::waves(const char* port, const std::vector<std::string>& names, bool power_states) {
  for (std::size_t i = 0; i < names.size(); ++i)
    waves_.push_back(
        {&model_->port(port), static_cast<int>(i), static_cast<int>(names.size()), names[i], power_states});
}

void PortTable::check_complete() const {
  for (const Port& port : model_->ports())
    if (!port.output() && port.name() != "clk" && port.name() != "rst" && !taken_.contains(port.name()))
      throw InternalError(
          fmt::format("the table of rtl/{}.v says nothing of its input {}", model_->module(), port.name()));
}

void PortTable::add_input(const char* port, InputTime time, std::function<Elements(const void*)> value) {
  inputs_.push_back({&take(port, false), time, std::move(value)});
}

OutputRow& PortTable::add_output(const char* port, std::function<Elements(const void*, const void*)> value) {
  if (outputs_.size() == outputs_.capacity())
    throw InternalError(fmt::format("the table of rtl/{}.v has more outputs than ports", model_->module()));
  return outputs_.emplace_back(OutputRow{&take(port, true), std::move(value), {}, 1, {}});
}

Port& PortTable::take(const char* name, bool output) {
  Port& port = model_->port(name);
  if (port.output() != output)
    throw InternalError(fmt::format("port {} of rtl/{}.v is an {}", name, model_->module(),
                                    port.output() ? "output" : "input"));
  if (!output && !taken_.insert(name).second)
    throw InternalError(fmt::format("the table of rtl/{}.v sets {} twice", model_->module(), name));
  return port;
}

}  // namespace heddle::cosim

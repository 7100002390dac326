#include "testbench/cosim/block_instance.h"

namespace heddle::cosim {
namespace {

/// Returns the number of columns of an output in a recording: one, or one per 32-bit word for ports over 64
/// bits.
int columns_of(const Port& port) { return port.width() <= 64 ? 1 : port.width() / 32; }

std::string column_name(const Port& port, int element, int elements) {
  return elements == 1 ? port.name() : fmt::format("{}.{}", port.name(), element);
}

}  // namespace

void BlockInstance::power_on(Clocking clocking, std::vector<BoundPort*> inputs,
                             std::vector<BoundPort*> outputs, std::vector<WaveEntry> waves,
                             std::vector<std::pair<std::string, std::uint64_t>> settings) {
  inputs_ = std::move(inputs);
  outputs_ = std::move(outputs);
  waves_ = std::move(waves);
  settings_ = std::move(settings);
  clock_ = model_->find("clk");
  reset_ = model_->find("rst");
  if ((clock_ != nullptr) != (clocking != Clocking::none))
    throw InternalError(
        fmt::format("rtl/{}.v has {} clk; its block says otherwise", module(), clock_ ? "a" : "no"));
  for (BoundPort* in : inputs_) {
    in->port->clear();
    if (in->time == InputTime::entering) entering_inputs_.push_back(in);
  }
  if (reset_) reset_->put_field(0, 1, 1);
  eval();
  if (clock_) edge();
  if (reset_) reset_->clear();
  eval();
  if (!waves_.empty()) return;
  for (const Port& port : model_->ports()) {
    const int elements = columns_of(port);
    for (int i = 0; port.output() && i < elements; ++i)
      waves_.push_back({&port, i, elements, column_name(port, i, elements)});
  }
}

void BlockInstance::edge() {
  line();
  clock_->put_field(0, 1, 1);
  eval();
  clock_->clear();
  for (BoundPort* in : entering_inputs_) in->port->clear();
}

void BlockInstance::pass_until(Cycle now, bool at_once) {
  if (begun_ && now < next_)
    throw InternalError(
        fmt::format("co-simulation: {}: asked in cycle {} after cycle {}", name_, now, next_ - 1));
  for (; begun_ && next_ < now; ++next_) {
    if (!at_once) edge();
    for (BoundPort* in : inputs_)
      if (in->time == InputTime::once) in->port->clear();
    eval();
    if (at_once) edge();
  }
  begun_ = true;
  next_ = now + 1;
}

void BlockInstance::differ(Cycle cycle, const BoundPort& port, int element, std::uint64_t model) const {
  const auto word = [&port](std::uint64_t value) {
    return value < port.names.size() ? port.names[static_cast<std::size_t>(value)] : fmt::format("{}", value);
  };
  const std::string signal =
      port.elements == 1 ? port.port->name() : fmt::format("{}[{}]", port.port->name(), element);
  throw Error(name_, fmt::format("co-simulation: cycle {}: {} is {} in the model and {} in the RTL", cycle,
                                 signal, word(model), word(port.port->element(element, port.elements))));
}

// Starts the recording when its first line is written, because the number of elements of a port is known only
// then.
void BlockInstance::start_record() {
  std::string heading = module();
  if (!parameters_.empty()) heading += " " + text_of(parameters_, " ");
  for (const auto& [name, value] : settings_) heading += fmt::format(" {}={}", name, value);
  std::vector<Column> columns;
  const auto add = [&columns](const Port& port, int elements) {
    for (int i = 0; i < elements; ++i) columns.push_back({column_name(port, i, elements), port.output()});
  };
  for (const BoundPort* in : inputs_) add(*in->port, in->elements);
  for (const BoundPort* out : outputs_) add(*out->port, columns_of(*out->port));
  record_ = std::make_unique<StimulusFile>(record_path_, heading + " :", columns, record_lines_);
}

void BlockInstance::write_line() {
  if (!record_) start_record();
  values_.clear();
  const auto add = [this](const Port& port, int elements) {
    for (int i = 0; i < elements; ++i) values_.push_back(port.element(i, elements));
  };
  for (const BoundPort* in : inputs_) add(*in->port, in->elements);
  for (const BoundPort* out : outputs_) add(*out->port, columns_of(*out->port));
  record_->line(values_);
}

}  // namespace heddle::cosim

#include "testbench/cosim/block_instance.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle::cosim {
namespace {

int columns_of(const Port& port) { return port.width() <= 64 ? 1 : port.width() / 32; }

std::string column_name(const Port& port, int element, int elements) {
  return elements == 1 ? port.name() : fmt::format("{}.{}", port.name(), element);
}

}  // namespace

BlockInstance::BlockInstance(std::string name, Mode mode, std::unique_ptr<RtlModel> model,
                             RtlParameters parameters, Clocking clocking, bool at_once, PortTable table)
    : name_(std::move(name)),
      mode_(mode),
      model_(std::move(model)),
      parameters_(std::move(parameters)),
      clocking_(clocking),
      at_once_(at_once),
      table_(std::move(table)),
      waves_(table_.shown()) {
  table_.check_complete();
  for (InputRow& in : table_.inputs()) (in.time == InputTime::entering ? entering_ : present_).push_back(&in);
  power_on();
}

void BlockInstance::power_on() {
  clock_ = model_->find("clk");
  reset_ = model_->find("rst");
  if ((clock_ != nullptr) != (clocking_ != Clocking::none))
    throw InternalError(
        fmt::format("rtl/{}.v has {} clk; its block says otherwise", module(), clock_ ? "a" : "no"));
  for (InputRow& in : table_.inputs()) in.port->clear();
  if (reset_) reset_->put_field(0, 1, 1);
  model_->eval();
  if (clock_) edge();
  if (reset_) reset_->clear();
  model_->eval();
  if (!waves_.empty()) return;
  for (const Port& port : model_->ports()) {
    const int elements = columns_of(port);
    for (int i = 0; port.output() && i < elements; ++i)
      waves_.push_back({&port, i, elements, column_name(port, i, elements)});
  }
}

void BlockInstance::observe(const ProbedView& probed) {
  if (!table_.concerns(probed.view)) return;
  if (clocking_ == Clocking::per_cycle && probed.now) arrive(probed);
  for (InputRow* in : present_) put(*in, probed.view);
  model_->eval();
  if (probed.answer) judge(probed);
  ++compared_;
  if (clocking_ == Clocking::none)
    line();
  else if (at_once_ || clocking_ == Clocking::per_event)
    edge();
}

void BlockInstance::arrive(const ProbedView& probed) {
  if (!begun_)
    for (InputRow* in : present_) {
      put(*in, probed.view);
      in->port->clear();
    }
  pass_until(*probed.now);
  if (at_once_) return;
  for (InputRow* in : entering_) put(*in, probed.view);
  edge();
}

void BlockInstance::put(InputRow& in, const void* view) {
  const Elements value = in.value(view);
  in.elements = value.count();
  put_elements(*in.port, value);
}

void BlockInstance::judge(const ProbedView& probed) {
  for (const OutputRow& out : table_.outputs()) {
    if (mode_ == Mode::drive && out.replace) {
      out.replace(probed.view, probed.answer, elements_of(*out.port, out.replaced_elements));
      continue;
    }
    const Elements model = out.value(probed.view, probed.answer);
    if (const int element = difference(*out.port, model); element >= 0) [[unlikely]]
      differ(probed.now.value_or(0), out, model, element);
  }
}

void BlockInstance::edge() {
  line();
  clock_->put_field(0, 1, 1);
  model_->eval();
  clock_->clear();
  for (InputRow* in : entering_) in->port->clear();
}

void BlockInstance::pass_until(Cycle now) {
  if (begun_ && now < next_)
    throw InternalError(
        fmt::format("co-simulation: {}: called in cycle {} after cycle {}", name_, now, next_ - 1));
  for (; begun_ && next_ < now; ++next_) {
    if (!at_once_) edge();
    for (InputRow* in : present_)
      if (in->time == InputTime::once) in->port->clear();
    model_->eval();
    if (at_once_) edge();
  }
  begun_ = true;
  next_ = now + 1;
}

void BlockInstance::differ(Cycle cycle, const OutputRow& row, const Elements& model, int element) const {
  const auto word = [&row](std::uint64_t value) {
    return value < row.names.size() ? row.names[static_cast<std::size_t>(value)] : fmt::format("{}", value);
  };
  const std::string signal =
      model.count() == 1 ? row.port->name() : fmt::format("{}[{}]", row.port->name(), element);
  throw Error(name_,
              fmt::format("co-simulation: cycle {}: {} is {} in the model and {} in the RTL", cycle, signal,
                          word(model[element]), word(row.port->element(element, model.count()))));
}

// Creates the file when the first line is recorded, because the number of elements of each port is unknown
// until then.
void BlockInstance::start_record() {
  std::string heading = module();
  if (!parameters_.empty()) heading += " " + text_of(parameters_, " ");
  for (const auto& [name, value] : table_.settings()) heading += fmt::format(" {}={}", name, value);
  std::vector<Column> columns;
  const auto add = [&columns](const Port& port, int elements) {
    for (int i = 0; i < elements; ++i) columns.push_back({column_name(port, i, elements), port.output()});
  };
  for (const InputRow& in : table_.inputs()) add(*in.port, in.elements);
  for (const OutputRow& out : table_.outputs()) add(*out.port, columns_of(*out.port));
  record_ = std::make_unique<StimulusFile>(record_path_, heading + " :", columns, record_lines_);
}

void BlockInstance::write_line() {
  if (!record_) start_record();
  values_.clear();
  const auto add = [this](const Port& port, int elements) {
    for (int i = 0; i < elements; ++i) values_.push_back(port.element(i, elements));
  };
  for (const InputRow& in : table_.inputs()) add(*in.port, in.elements);
  for (const OutputRow& out : table_.outputs()) add(*out.port, columns_of(*out.port));
  record_->line(values_);
}

}  // namespace heddle::cosim

#pragma once

// The port table of an RTL block. For each input, it states which value of the model the input receives. For
// each output, it states which value of the model the output must equal, and how the output replaces this
// value in the mode `drive`. A function in blocks/<module>.cpp fills the table for each instance. The inputs
// clk and rst need no rows, because they are driven automatically. Rows of PortTable access the inputs (View)
// and the decision (Answer) of a probe point by address; BlockTable adds rows with the right types. If an
// output's function returns an empty std::optional, the output is not compared.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "testbench/cosim/rtl_model.h"

namespace heddle::cosim {

enum class InputTime : std::uint8_t {
  once,  ///< The input is 0 in cycles without an event. Used for requests.
  held,  ///< The input keeps its value until the next event.
  /// The block samples the input at the clock edge with which this cycle begins. Used for model state that
  /// changed at the end of the previous cycle.
  entering
};

/// Row of the port table for an input of the RTL block. `value` returns the elements that the input receives,
/// computed from the probe point's View, which lies at address `view`.
struct InputRow {
  Port* port = nullptr;
  InputTime time = InputTime::once;
  std::function<Elements(const void* view)> value;
  int elements = 1;
};

/// Row of an output in the port table. `view`, `answer`: addresses of the probe point's inputs (View) and of
/// the model's decision (Answer).
struct OutputRow {
  Port* port = nullptr;
  std::function<Elements(const void* view, const void* answer)> value;
  /// Writes the block's output into the model's decision (mode `drive`). Empty for an output that is only
  /// compared.
  std::function<void(const void* view, void* answer, const Elements& output)> replace;
  int replaced_elements = 1;
  std::vector<std::string> names;

  OutputRow& named(std::vector<std::string> values) {
    names = std::move(values);
    return *this;
  }
};

struct WaveEntry {
  const Port* port = nullptr;
  int element = 0, elements = 1;
  std::string name;
  bool power_state = false;
};

class PortTable {
 public:
  explicit PortTable(RtlModel& model);
  /// A table can be moved but not copied, because its rows point to the ports of one model.
  PortTable(PortTable&&) = default;

  bool concerns(const void* view) const { return !concerns_ || concerns_(view); }
  /// Adds an input that keeps this value from power-on to the end.
  void setting(const char* port, std::uint64_t value);

  /// Shows this output in waveforms, with this name. Without any such call, waveforms show all outputs.
  void wave(const char* port, const std::string& name) {
    waves_.push_back({&model_->port(port), 0, 1, name});
  }
  /// Shows each element of the output in waveforms, as a signal of its own.
  void waves(const char* port, const std::vector<std::string>& names, bool power_states = false);

  std::vector<InputRow>& inputs() { return inputs_; }
  const std::vector<InputRow>& inputs() const { return inputs_; }
  const std::vector<OutputRow>& outputs() const { return outputs_; }
  const std::vector<WaveEntry>& shown() const { return waves_; }
  const std::vector<std::pair<std::string, std::uint64_t>>& settings() const { return settings_; }
  /// Throws InternalError if an input of the block has no row.
  void check_complete() const;

 protected:
  void add_input(const char* port, InputTime time, std::function<Elements(const void*)> value);
  OutputRow& add_output(const char* port, std::function<Elements(const void*, const void*)> value);
  void set_concerns(std::function<bool(const void*)> concerns) { concerns_ = std::move(concerns); }

 private:
  Port& take(const char* name, bool output);

  RtlModel* model_;
  std::function<bool(const void*)> concerns_;
  std::vector<InputRow> inputs_;
  std::vector<OutputRow> outputs_;
  std::vector<WaveEntry> waves_;
  std::vector<std::pair<std::string, std::uint64_t>> settings_;
  std::set<std::string> taken_;
};

/// A port table for one type of probe point. The functions of its rows receive the probe point's inputs and
/// decision in their own types (View and Answer).
template <class Point>
class BlockTable : public PortTable {
 public:
  using View = typename Point::View;
  using Answer = typename Point::Answer;
  using PortTable::PortTable;

  template <class F>
  void only(F concerns) {
    set_concerns([concerns](const void* view) { return concerns(view_of(view)); });
  }
  template <class F>
  void input(const char* port, F value, InputTime time = InputTime::once) {
    add_input(port, time, [value](const void* view) { return Elements(value(view_of(view))); });
  }
  template <class F>
  void held(const char* port, F value) {
    input(port, std::move(value), InputTime::held);
  }
  template <class F>
  void entering(const char* port, F value) {
    input(port, std::move(value), InputTime::entering);
  }

  template <class F>
  OutputRow& output(const char* port, F value) {
    return add_output(port, [value](const void* view, const void* answer) {
      return Elements(value(view_of(view), *static_cast<const Answer*>(answer)));
    });
  }
  /// Adds an output that is compared with the result of `value`. In the mode `drive`, replace(view, answer,
  /// output of the block) is called instead of comparing. `Value` is the output's type; by default, it is the
  /// type of the result of `value`.
  template <class Value = void, class F, class G>
  OutputRow& output(const char* port, F value, G replace) {
    using Result = typename Unwrapped<std::remove_cvref_t<decltype(value(
        std::declval<const View&>(), std::declval<const Answer&>()))>>::Type;
    using Type = std::conditional_t<std::is_void_v<Value>, Result, Value>;
    OutputRow& row = output(port, std::move(value));
    row.replaced_elements = Elements::count_of<Type>();
    row.replace = [replace](const void* view, void* answer, const Elements& output) {
      replace(view_of(view), *static_cast<Answer*>(answer), output.as<Type>());
    };
    return row;
  }

 private:
  template <class T>
  struct Unwrapped {
    using Type = T;
  };
  template <class T>
  struct Unwrapped<std::optional<T>> {
    using Type = T;
  };
  static const View& view_of(const void* view) { return *static_cast<const View*>(view); }
};

}  // namespace heddle::cosim

#pragma once

// The table of a block's ports. It holds the value of the model that each input receives, the value that each
// output is compared with, the answer that `drive` replaces, and the signals that waveforms show. A function
// in blocks/<module>.cpp fills the table once per instance. The instance drives the inputs clk and rst.
//
// Values are functions of the point's View (inputs), or of View and Answer (outputs). A function returns a
// number or a list of elements (port.h). A function for an output may return std::optional; an output with an
// empty result is not compared.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/core/error.h"
#include "testbench/cosim/rtl_model.h"

namespace heddle::cosim {

/// The time for which an input of a clocked block keeps the value of a view.
enum class InputTime : std::uint8_t {
  once,     ///< 0 in cycles without a view; for requests and events
  held,     ///< keeps its value until the next view
  entering  ///< sampled by the clock edge before the view's cycle; for state that changed at the end of the previous cycle
};

/// The part of a port that does not depend on the type of the point.
struct BoundPort {
  Port* port = nullptr;
  int elements = 1;  ///< number of elements of the last value
  InputTime time = InputTime::once;
  std::vector<std::string> names;  ///< names of an element's values, for messages
};
struct WaveEntry {
  const Port* port = nullptr;
  int element = 0, elements = 1;
  std::string name;
  bool power_state = false;
};

namespace detail {

template <class T>
struct Held {  // type of a function's result
  using type = T;
  static const T* of(const T& v) { return &v; }
};
template <class T>
struct Held<std::optional<T>> {
  using type = T;
  static const T* of(const std::optional<T>& v) { return v ? &*v : nullptr; }
};

}  // namespace detail

template <class Point>
class BlockTable {
 public:
  using View = typename Point::View;
  using Answer = typename Point::Answer;

  struct Input : BoundPort {
    std::function<void(const View&, Input&)> put;
  };
  struct Output : BoundPort {
    /// Returns the index of the first element that differs from the model, and stores the model's element in
    /// `model`. Returns -1 if all agree.
    std::function<int(const View&, const Answer&, Output&, std::uint64_t& model)> compare;
    /// writes the block's output into the answer; empty if the output is only compared
    std::function<void(const View&, Answer&, const Output&)> replace;

    /// Names the values 0, 1, ... of an element, for messages.
    Output& named(std::vector<std::string> values) {
      names = std::move(values);
      return *this;
    }
  };

  explicit BlockTable(RtlModel& model) : model_(model) {
    inputs_.reserve(model.ports().size());
    outputs_.reserve(model.ports().size());
  }

  /// Ignores views for which `concerns` returns false.
  void only(std::function<bool(const View&)> concerns) { concerns_ = std::move(concerns); }
  bool concerns(const View& view) const { return !concerns_ || concerns_(view); }

  /// Adds an input that keeps its power-on value.
  void setting(const char* port, std::uint64_t value) {
    Port& p = take(port, false);
    p.put_field(0, std::min(p.width(), 64), value);
    settings_.emplace_back(port, value);
  }
  template <class F>
  void input(const char* port, F value, InputTime time = InputTime::once) {
    Input in;
    in.port = &take(port, false);
    in.time = time;
    in.put = [value](const View& view, Input& self) {
      const auto v = value(view);
      put_value(*self.port, v);
      self.elements = ValueOf<std::remove_cvref_t<decltype(v)>>::count(v);
    };
    inputs_.push_back(std::move(in));
  }
  template <class F>
  void held(const char* port, F value) {
    input(port, std::move(value), InputTime::held);
  }
  template <class F>
  void entering(const char* port, F value) {
    input(port, std::move(value), InputTime::entering);
  }

  /// Adds an output that is compared with `value`.
  template <class F>
  Output& output(const char* port, F value) {
    using Result =
        std::remove_cvref_t<decltype(value(std::declval<const View&>(), std::declval<const Answer&>()))>;
    using Optional = detail::Held<Result>;
    Output out;
    out.port = &take(port, true);
    out.compare = [value](const View& view, const Answer& answer, Output& self, std::uint64_t& model) {
      const Result result = value(view, answer);
      const auto* v = Optional::of(result);
      if (!v) return -1;
      using Value = ValueOf<typename Optional::type>;
      self.elements = Value::count(*v);
      const int element = difference(*self.port, *v);
      if (element >= 0) model = Value::get(*v, element);
      return element;
    };
    outputs_.push_back(std::move(out));
    return outputs_.back();
  }
  /// Adds an output that is compared with `value`. In mode `drive`, replace(view, answer, output of the
  /// block) is called instead. The output has the type `Value`, by default the type of `value`.
  template <class Value = void, class F, class G>
  Output& output(const char* port, F value, G replace) {
    using Result =
        std::remove_cvref_t<decltype(value(std::declval<const View&>(), std::declval<const Answer&>()))>;
    using Type = std::conditional_t<std::is_void_v<Value>, typename detail::Held<Result>::type, Value>;
    Output& out = output(port, std::move(value));
    out.replace = [replace](const View& view, Answer& answer, const Output& self) {
      Type from_block{};
      get_value(*self.port, from_block);
      replace(view, answer, from_block);
    };
    return out;
  }

  /// Adds an output to those that waveforms show. If the table names none, waveforms show all outputs by
  /// their ports' names.
  void wave(const char* port, const std::string& name) { waves_.push_back({&model_.port(port), 0, 1, name}); }
  /// Shows one signal per element.
  void waves(const char* port, const std::vector<std::string>& names, bool power_states = false) {
    for (std::size_t i = 0; i < names.size(); ++i)
      waves_.push_back(
          {&model_.port(port), static_cast<int>(i), static_cast<int>(names.size()), names[i], power_states});
  }

  std::vector<Input>& inputs() { return inputs_; }
  std::vector<Output>& outputs() { return outputs_; }
  const std::vector<WaveEntry>& shown() const { return waves_; }
  /// Returns name and value of every setting.
  const std::vector<std::pair<std::string, std::uint64_t>>& settings() const { return settings_; }
  /// Throws InternalError if the table lacks an input of the block.
  void check_complete() {
    for (const Port& port : model_.ports())
      if (!port.output() && port.name() != "clk" && port.name() != "rst" && !taken_.contains(port.name()))
        throw InternalError(
            fmt::format("the table of rtl/{}.v says nothing of its input {}", model_.module(), port.name()));
  }

 private:
  Port& take(const char* name, bool output) {
    Port& port = model_.port(name);
    if (port.output() != output)
      throw InternalError(fmt::format("port {} of rtl/{}.v is an {}", name, model_.module(),
                                      port.output() ? "output" : "input"));
    if (!output && !taken_.insert(name).second)
      throw InternalError(fmt::format("the table of rtl/{}.v sets {} twice", model_.module(), name));
    return port;
  }

  RtlModel& model_;
  std::function<bool(const View&)> concerns_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<WaveEntry> waves_;
  std::vector<std::pair<std::string, std::uint64_t>> settings_;
  std::set<std::string> taken_;
};

}  // namespace heddle::cosim

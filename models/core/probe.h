#pragma once

// Probe points: an observer receives the decisions of a model class and may replace them. Verilated RTL is
// connected to the model in this way (testbench/cosim). The class defines a point type:
//
//   struct GatingPoint { // names the data at the point
//     using Owner = DomainGroup; // the class, for constants: its parameters, its size
//     using View = GatingProbeView; // inputs of the decision; a clocked block needs its member `now`
//     using Answer = GatingDecision; // the decision
//     static constexpr bool kEndOfCycle = true; // optional: the view shows a completed cycle
//   };
//
// The class has a member of type Probe<GatingPoint> and calls this member where the class makes the decision:
//
//   if (probe_.attached()) probe_.answered(view, decision);
//
// A point without observer costs one comparison. The function probes() of each class adds its points to a
// list, and the SM gives each point a path. The same function adds the gauges (gauge.h).

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/gauge.h"

namespace heddle {

template <class Point>
class Probe;

class ProbePoint {
 public:
  ProbePoint(const ProbePoint&) = delete;
  ProbePoint& operator=(const ProbePoint&) = delete;

  template <class Point>
  Probe<Point>* as() {
    return kind_ == kind_of<Point>() ? static_cast<Probe<Point>*>(this) : nullptr;
  }

 protected:
  explicit ProbePoint(const void* kind) : kind_(kind) {}
  ~ProbePoint() = default;
  template <class Point>
  static const void* kind_of() {
    static const char kind = 0;
    return &kind;
  }

 private:
  const void* kind_;
};

template <class Point>
class Probe : public ProbePoint {
 public:
  using Owner = typename Point::Owner;
  using View = typename Point::View;
  using Answer = typename Point::Answer;
  /// Receives the inputs and the decision of a probe point and may change the decision. The second argument
  /// is nullptr for events without a decision, such as the start of a kernel.
  using Observer = std::function<void(const View&, Answer*)>;

  /// Creates a probe point for the decisions of `owner`, which must outlive the probe point.
  explicit Probe(const Owner& owner) : ProbePoint(kind_of<Point>()), owner_(owner) {}

  const Owner& owner() const { return owner_; }
  /// Attaches an observer. Must be called before the first cycle. Observers are called in the order in which
  /// they were attached.
  void attach(Observer observer) { observers_.push_back(std::move(observer)); }
  bool attached() const {
    if (observers_.empty()) return false;
    return true;
  }

  // Calls all observers after a decision; an observer may change `answer`. Not inlined: this saves 1.05 % of
  // the simulator's time with the technique cmrc.
  [[gnu::noinline]] void answered(const View& view, Answer& answer) const {
    for (const Observer& observer : observers_) observer(view, &answer);
  }
  [[gnu::noinline]] void notify(const View& view) const {
    for (const Observer& observer : observers_) observer(view, nullptr);
  }

 private:
  const Owner& owner_;
  std::vector<Observer> observers_;
};

/// All probe points of an SM, with their paths such as "sm0.partition0.int0". List items with the same path
/// describe the same part of the SM.
struct ProbeList {
  struct Part {
    std::string path;
    std::string what;
    std::vector<ProbePoint*> points;
    PartPicture picture{};
  };
  std::vector<Part> parts;
};

/// Path of a part of the simulated SM. The part adds its probe points and gauges under this path.
class ProbeScope {
 public:
  ProbeScope(ProbeList& list, std::string path) : list_(&list), path_(std::move(path)) {}

  /// Returns the scope "<path>.<name>" for a part of this part. If `what` is not empty, adds the new path to
  /// the list of parts, even if no probe point follows.
  ProbeScope part(const std::string& name, const std::string& what = {}) const {
    ProbeScope scope(*list_, path_ + "." + name);
    if (!what.empty()) list_->parts.push_back({scope.path_, what, {}});
    return scope;
  }
  void add(ProbePoint& point) const {
    if (list_->parts.empty() || list_->parts.back().path != path_) list_->parts.push_back({path_, {}, {}});
    list_->parts.back().points.push_back(&point);
  }

  /// Sets how observers draw the part with this scope's path. `doc`: meaning of the part. `steps`: see
  /// PartPicture::steps.
  const ProbeScope& draw(const std::string& doc, std::vector<std::string> steps = {}) const {
    picture().doc = doc;
    picture().steps = std::move(steps);
    return *this;
  }
  const ProbeScope& serves(std::uint64_t warps) const {
    picture().warps = warps;
    return *this;
  }
  const ProbeScope& counts(const std::string& counters) const {
    picture().counters.push_back(counters);
    return *this;
  }
  const ProbeScope& show(Gauge gauge) const {
    picture().gauges.push_back(std::move(gauge));
    return *this;
  }

 private:
  PartPicture& picture() const {
    const auto same = [this](const ProbeList::Part& part) { return part.path == path_; };
    const auto found = std::find_if(list_->parts.begin(), list_->parts.end(), same);
    if (found != list_->parts.end()) return found->picture;
    list_->parts.push_back({path_, {}, {}});
    return list_->parts.back().picture;
  }

  ProbeList* list_;
  std::string path_;
};

}  // namespace heddle

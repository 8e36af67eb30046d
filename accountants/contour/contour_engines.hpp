// The kinds of contours that answer a question, and which of them is made for it.
//
// Each kind is offered at the cost that its model predicts; the cheapest is made, the next one
// where that fails. Which one is taken is a heuristic; every band is its own contour's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accountants/contour/pinched_contour.hpp"
#include "accountants/contour/rough_curve.hpp"

namespace plaudit {

/// A set of nodes, made for one epsilon, that answers rigorously everywhere.
struct ContourEngine {
  enum class Kind { straight, one_sided, cut, hyperbola, pinch };
  Kind kind;
  double epsilon;
  double nats;
  long bits;
  std::function<Enclosure(const Ball&)> delta;
  /// Accurate for all smaller epsilons (-1), for all greater ones (1), or only near its own (0).
  double covers = 0;
  /// The line itself, whose middle is about delta; null where the kind has other nodes.
  std::shared_ptr<const StraightContour> line = nullptr;
  /// What proves its values again; null where a certificate has no such contour.
  std::shared_ptr<const proof::Evidence> evidence = nullptr;
};

class ContourEngines {
 public:
  explicit ContourEngines(RoughCurve& curve) : curve_(curve) {}

  bool empty() const { return engines_.empty(); }
  /// The engine made for the nearest epsilon; null where there is none.
  ContourEngine* nearest(double epsilon);
  /// The same where it is next to this epsilon and accurate enough.
  ContourEngine* nearest_accurate(double epsilon, double nats);

  /// Nodes for questions near epsilon; null where none can be had at an affordable cost.
  ContourEngine* make(double epsilon, double nats, double log_delta);

  /// The kind is not made any more until give_none_up(): its bands said nothing about the question.
  void give_up(ContourEngine::Kind kind) { useless_.push_back(kind); }
  void give_none_up() { useless_.clear(); }

  /// Why nothing was made; empty where nothing failed.
  const std::string& refusal() const { return refusal_; }

 private:
  struct Question {
    double epsilon;
    double nats;
    double log_delta;
  };
  struct Offer {
    double seconds;  ///< predicted; infinite: none
    std::function<ContourEngine*()> make;
    double overhead = 1;   ///< offers are sorted by seconds * overhead
    double longest = 1;    ///< what it may take at most, in units of `seconds`
    bool promises = true;  ///< that it takes no longer: the model of a pinch is too rough for that
  };

  std::vector<Offer> offers(const Question& question);
  static StraightChoice cheapest_straight(const ComposedLoss& loss, CumulantTable& table,
                                          const Question& question);
  Offer straight_offer(const Question& question);
  Offer one_sided_offer(const Question& question);
  Offer cut_offer(const Question& question);
  Offer hyperbola_offer(const Question& question);
  Offer pinch_offer(const Question& question, double others);
  PinchChoice pinch_near(const Question& question, double others);
  ContourEngine* keep_pinched(const Question& question, PinchChoice choice);
  template <class Contour>
  ContourEngine* keep(ContourEngine::Kind kind, const Question& question,
                      std::shared_ptr<Contour> contour,
                      std::shared_ptr<const proof::Evidence> evidence = nullptr);
  bool useless(ContourEngine::Kind kind) const;
  double factors() const;

  RoughCurve& curve_;
  std::vector<std::unique_ptr<ContourEngine>> engines_;
  double pinched_at_ = -1;  ///< the epsilon of the latest pinch
  double least_tau_ = 0;    ///< with less than this too many nodes matter
  std::vector<ContourEngine::Kind> useless_;
  std::string refusal_;
};

}  // namespace plaudit

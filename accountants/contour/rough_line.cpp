#include "accountants/contour/rough_line.hpp"

#include <cmath>
#include <numbers>

namespace plaudit {

RoughLine::RoughLine(const StraightChoice& choice, const std::vector<ComplexBall>& nodes,
                     double finite_mass, double q_mass, double infinite_mass)
    : t_(choice.t), h_(choice.h), infinite_mass_(infinite_mass) {
  const double period = 2 * std::numbers::pi / h_;
  if (!choice.no_residue) p_residue_ = finite_mass / std::expm1(t_ * period);
  if (!choice.no_residue && choice.both_residues) {
    q_residue_ = q_mass / std::expm1((t_ + 1) * period);
  }
  const Ball largest = abs(nodes.front()).upper();  // the scale of all, a multiple of M(t)
  log_scale_ = largest.estimate_log() + std::log(h_ / std::numbers::pi);
  const Ball inverse = Ball(1) / largest;
  nodes_.reserve(nodes.size());
  for (const ComplexBall& node : nodes) {
    nodes_.emplace_back((node.real() * inverse).estimate(),
                        (node.imaginary() * inverse).estimate());
  }
}

RoughLine::Value RoughLine::at(double epsilon, double log_unit) const {
  // c_k e^{-i k h epsilon}, and its derivative over -1: (t + i k h) times that
  const std::complex<double> turn(std::cos(h_ * epsilon), -std::sin(h_ * epsilon));
  std::complex<double> power = 1;
  double sum = 0;
  double moment = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const std::complex<double> term = nodes_[k] * power;
    sum += term.real();
    moment -= static_cast<double>(k) * term.imag();
    power *= turn;
  }
  const double front = std::exp(log_scale_ - t_ * epsilon - log_unit);
  const double residue = q_residue_ * std::exp(epsilon - log_unit);
  const double total = front * sum + residue + (infinite_mass_ - p_residue_) * std::exp(-log_unit);
  return {std::log(total), (residue - front * (t_ * sum + h_ * moment)) / total};
}

}  // namespace plaudit

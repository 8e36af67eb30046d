// One call of a canonical spec as the readers of pairs take it, and the readers that have files of
// their own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "mechanisms/language/syntax.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit::pairs {

constexpr std::uint64_t most_columns = 400;  ///< of an encoder; also the greatest shift of integers

/// One call of a canonical spec, its arguments taken one after the other: one that nobody asked for
/// may change the pair, and then nothing is read.
class Call {
 public:
  Call(const syntax::Call& call, Direction of) : name(call.name), direction(of) {
    for (const syntax::Argument& argument : call.arguments) given_[argument.key] = &argument.value;
  }
  template <class T>
  const T* take(const std::string& key) {
    const auto place = given_.find(key);
    const T* value = place == given_.end() ? nullptr : std::get_if<T>(place->second);
    if (value != nullptr) given_.erase(place);
    return value;
  }
  Rational number(const std::string& key, const Rational& otherwise = 0) {
    const Rational* value = take<Rational>(key);
    return value == nullptr ? otherwise : *value;
  }
  std::uint64_t count(const std::string& key, std::uint64_t otherwise) {
    const Rational* value = take<Rational>(key);
    return value == nullptr ? otherwise : mpz_get_ui(mpq_numref(value->data()));
  }
  std::string word(const std::string& key, const std::string& otherwise = {}) {
    const syntax::Word* value = take<syntax::Word>(key);
    return value == nullptr ? otherwise : value->text;
  }
  std::shared_ptr<const syntax::Call> inner() {
    const auto* value = take<std::shared_ptr<const syntax::Call>>("");
    return value == nullptr ? nullptr : *value;
  }
  bool done() const { return given_.empty(); }

  std::string name;
  Direction direction;

 private:
  std::map<std::string, const syntax::Value*> given_;
};

inline LawPointer made(Law law) { return std::make_shared<const Law>(std::move(law)); }

/// A curve of one step, as a function of x = e^eps.
inline LawPointer curve_of(std::function<std::optional<Directed>(const Directed&)> at) {
  return made(Curve{std::move(at)});
}
inline Directed zero_or(const Directed& x) { return max(x, Directed(0)); }
/// The curve of two laws that are the same.
inline Directed trivial_curve(const Directed& x) { return zero_or(Directed(1) - x); }

inline LawPointer gaussian_of(const Rational& square) { return made(Gaussian{square / 2}); }
/// (sensitivity / sigma)^2, where sigma is given or its square.
inline Rational squared_ratio(Call& call) {
  const Rational sensitivity = call.number("sensitivity", 1);
  const Rational sigma = call.number("sigma", 1);
  return sensitivity * sensitivity / call.number("variance", sigma * sigma);
}

LawPointer two_points(const Rational& epsilon, const Rational& infinite = 0);
LawPointer randomized_response(Call& call);
LawPointer discrete_laplace(Call& call);
LawPointer truncated_discrete_laplace(Call& call);
LawPointer staircase(Call& call);
LawPointer truncated_laplace(Call& call);
LawPointer shuffle(Call& call);
LawPointer privacy_profile(Call& call);
LawPointer select(Call& call);
LawPointer skellam(Call& call);
LawPointer discrete_gaussian_sum(Call& call);
LawPointer truncated_gaussian(Call& call);
LawPointer partition_selection(Call& call);
LawPointer laplace_threshold(Call& call);
LawPointer gaussian_threshold(Call& call);
LawPointer propose_test_release(Call& call);
LawPointer gaussian_sparse_vector(Call& call);
LawPointer toeplitz(Call& call);
LawPointer random_participation(Call& call);
LawPointer pate(Call& call);
LawPointer matrix(Call& call);
LawPointer tree(Call& call);

}  // namespace plaudit::pairs

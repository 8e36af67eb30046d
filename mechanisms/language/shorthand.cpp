#include "mechanisms/language/shorthand.hpp"

#include "lib/text.hpp"

namespace plaudit {

Shorthand dpsgd_shorthand();
Shorthand bandmf_shorthand();

const std::vector<Shorthand>& shorthands() {
  static const std::vector<Shorthand> all{dpsgd_shorthand(), bandmf_shorthand()};
  return all;
}

const Shorthand* shorthand_named(std::string_view name) {
  for (const Shorthand& each : shorthands()) {
    if (lower_case(name) == each.name) return &each;
  }
  return nullptr;
}

std::shared_ptr<const syntax::Call> sampled_gaussian_call(std::string_view noise, Rational level,
                                                          Rational rate) {
  auto gaussian = std::make_shared<syntax::Call>();
  gaussian->name = "gaussian";
  gaussian->arguments.push_back({std::string(noise), std::move(level)});
  auto sampled = std::make_shared<syntax::Call>();
  sampled->name = "poisson";
  sampled->arguments.push_back({"", std::shared_ptr<const syntax::Call>(std::move(gaussian))});
  sampled->arguments.push_back({"rate", std::move(rate)});
  return sampled;
}

}  // namespace plaudit

// pld(file): a privacy loss distribution that the user states, from a file.
#include "mechanisms/forms/pld_file.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

namespace {

class Written final : public Mechanism {
 public:
  Written(std::string spec, const WrittenPair& pair)
      : spec_(std::move(spec)),
        symmetric_(pair.symmetric),
        adjacency_(pair.adjacency),
        remove_(loss_of(pair.remove, spec_ + ", remove")),
        add_(pair.symmetric ? remove_ : loss_of(pair.add, spec_ + ", add")) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return direction == Direction::remove ? remove_ : add_;
  }
  bool symmetric() const override { return symmetric_; }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override {
    return {Attained::yes,
            "the mechanism is known by this law alone, and one that draws its output "
            "by it has it"};
  }
  bool one_record() const override {
    return adjacency_ == Adjacency::of_one_record(Adjacency::add_remove);
  }

 private:
  std::string spec_;
  bool symmetric_;
  Adjacency adjacency_;
  std::shared_ptr<const PrivacyLoss> remove_;
  std::shared_ptr<const PrivacyLoss> add_;
};

MechanismPointer build_pld(const Arguments& arguments) {
  const std::string& file = arguments.text("file");
  return std::make_shared<Written>("pld(file=\"" + file + "\")", read_pld_file(file));
}

MechanismPointer example() {
  return std::make_shared<Written>("pld(file=\"law.json\")",
                                   parse_pld(R"({"adjacency": "add/remove",
                    "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}})",
                                             "law.json"));
}

}  // namespace

MechanismKind pld_kind();
MechanismKind pld_kind() {
  return {
      .name = "pld",
      .summary = "the law of the privacy loss from a JSON file (docs/mechanisms.md)",
      .parameters = {{"file", "a path in double quotes"}},
      .adjacency = "the one that the file states",
      .theorem = "none: that the law is that of a dominating pair is for its author to prove",
      .example = "pld(file=\"law.json\")",
      .build = build_pld,
      .build_example = example,
  };
}

}  // namespace plaudit

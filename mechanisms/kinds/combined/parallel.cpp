// parallel(A, B, ...): mechanisms on disjoint parts of the records. In which part a record is
// depends on that record alone: so it meets one of them, and the greatest of their curves bounds
// all. Proof: docs/proofs/curves.md#parallel
//
// Where one curve is certainly above the others, it is that mechanism's pair; of two laws of
// finitely many known values the maximum is exact; else it is bounded at points.
#include <algorithm>
#include <array>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/maximum_curve.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::array part_names{"first", "second", "third", "fourth", "fifth", "sixth"};
constexpr const char* part_domain = "a mechanism for one record added, removed or blanked";

class Parallel final : public Mechanism {
 public:
  Parallel(std::string spec, std::vector<MechanismPointer> parts,
           std::shared_ptr<const PrivacyLoss> remove, std::shared_ptr<const PrivacyLoss> add,
           Adjacency adjacency, Attainment attainment)
      : spec_(std::move(spec)),
        parts_(std::move(parts)),
        laws_{std::move(remove), std::move(add)},
        adjacency_(std::move(adjacency)),
        attainment_(std::move(attainment)) {}

  std::string spec() const override { return spec_; }
  /// Those whose curves may be the greatest.
  const std::vector<MechanismPointer>& parts() const { return parts_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return laws_[direction == Direction::add ? 1 : 0];
  }
  bool symmetric() const override { return laws_[0] == laws_[1]; }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override { return attainment_; }
  bool one_record() const override { return adjacency_.kind == Adjacency::add_remove; }

 private:
  std::string spec_;
  std::vector<MechanismPointer> parts_;
  std::shared_ptr<const PrivacyLoss> laws_[2];
  Adjacency adjacency_;
  Attainment attainment_;
};

/// Of all parts, as neighbours differ by one record: what is as stated is read as that.
Adjacency adjacency_of(const std::vector<MechanismPointer>& parts) {
  std::string kind;
  std::string stated;
  std::string inner;  // how a part reads what is stated within it
  for (const MechanismPointer& part : parts) {
    const std::string own = part->adjacency().kind;
    if (inner.empty()) inner = part->adjacency().reading;
    if (own == Adjacency::as_stated) {
      if (stated.empty()) stated = part->spec().substr(0, part->spec().find('('));
      continue;
    }
    if (!kind.empty() && own != kind) {
      std::string sentence = "parallel: one part is for ";
      throw SpecError(sentence.append(kind).append(", another one for ").append(own));
    }
    kind = own;
  }
  if (kind.empty()) kind = Adjacency::add_remove;
  Adjacency result = Adjacency::of_one_record(kind);
  if (!stated.empty()) {
    result.reading = "what is stated of " + stated + " is read as for one record " +
                     (kind == Adjacency::zero_out ? "blanked" : "added or removed");
  }
  if (!inner.empty()) result.reading.append(stated.empty() ? "" : "; ").append(inner);
  return result;
}

bool is_below(const MechanismPointer& low, const MechanismPointer& high) {
  if (low->spec() == high->spec()) return true;  // mechanisms of one canonical spec are the same
  const bool symmetric = low->symmetric() && high->symmetric();
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (!is_nowhere_above(*low->loss(direction), *high->loss(direction), symmetric)) return false;
    if (symmetric) break;
  }
  return true;
}

/// The parts whose curves may be the greatest somewhere.
std::vector<MechanismPointer> that_matter(std::vector<MechanismPointer> parts) {
  for (std::size_t i = 0; i < parts.size();) {
    bool below = false;
    for (std::size_t j = 0; j < parts.size() && !below; ++j) {
      below = i != j && is_below(parts[i], parts[j]);
    }
    if (below) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return parts;
}

/// Known at each epsilon from the parts, where the law of the maximum is exact.
Attainment at_each_epsilon(const std::vector<MechanismPointer>& parts) {
  const bool all = std::all_of(parts.begin(), parts.end(), [](const MechanismPointer& part) {
    return part->attainment().attained <= Attained::each_epsilon;
  });
  if (!all) return {Attained::unknown, "nothing is known of one of the parts"};
  return {Attained::each_epsilon, "a record of the part whose curve is the greatest there has it"};
}

MechanismPointer maximum_of(const std::string& spec, const std::vector<MechanismPointer>& parts,
                            const Adjacency& adjacency) {
  const bool symmetric = std::all_of(
      parts.begin(), parts.end(), [](const MechanismPointer& part) { return part->symmetric(); });
  const std::string text = "privacy loss of " + spec;
  std::vector<std::shared_ptr<const PrivacyLoss>> kept;
  for (const MechanismPointer& part : parts) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      kept.push_back(part->loss(direction));
    }
  }
  if (parts.size() == 2 && symmetric) {
    const auto exact = exact_maximum(text, *kept[0], *kept[2]);
    if (exact) {
      return std::make_shared<Parallel>(spec, parts, exact, exact, adjacency,
                                        at_each_epsilon(parts));
    }
  }
  std::vector<KnownCurve> all;
  all.reserve(kept.size());
  for (const auto& law : kept) all.push_back(curve_of(law));
  const CurvePoints points = points_of(all, "parallel");
  const auto law = [&](Direction direction) {
    std::vector<KnownCurve> own;
    for (std::size_t i = direction == Direction::add ? 1 : 0; i < all.size(); i += 2) {
      own.push_back(all[i]);
    }
    return piecewise_loss(text + (symmetric ? "" : ", " + std::string(name_of(direction))),
                          greatest_at(own, points, symmetric), symmetric)
        .loss;
  };
  const auto remove = law(Direction::remove);
  return std::make_shared<Parallel>(
      spec, parts, remove, symmetric ? remove : law(Direction::add), adjacency,
      Attainment{Attained::unknown,
                 "its curve is a bound of the greatest of the curves, from points"});
}

MechanismPointer build_parallel(const Arguments& arguments) {
  std::vector<MechanismPointer> parts;
  for (const char* name : part_names) {
    if (!arguments.given(name)) continue;
    const MechanismPointer& part = arguments.mechanism(name);
    const bool fits = part->one_record() || part->adjacency().kind == Adjacency::zero_out;
    if (!fits || part->attainment().attained == Attained::no_pair || part->group() ||
        !part->adjacency().guarantee) {
      arguments.reject(name, abbreviated(part->spec()));
    }
    parts.push_back(part);
  }
  std::string spec = "parallel(";
  for (const MechanismPointer& part : parts) {
    spec += (part == parts.front() ? "" : ", ") + part->spec();
  }
  spec += ')';
  const Adjacency adjacency = adjacency_of(parts);
  std::vector<MechanismPointer> all;  // those within others too
  for (const MechanismPointer& part : parts) {
    const auto* inner = dynamic_cast<const Parallel*>(part.get());
    if (inner == nullptr) {
      all.push_back(part);
    } else {
      all.insert(all.end(), inner->parts().begin(), inner->parts().end());
    }
  }
  const std::vector<MechanismPointer> greatest = that_matter(std::move(all));
  if (greatest.size() > 1) return maximum_of(spec, greatest, adjacency);
  const MechanismPointer& one = greatest.front();
  Attainment attainment = one->attainment();
  attainment.why = "on the part of " + abbreviated(one->spec()) + ", " + attainment.why;
  attainment.attack = nullptr;
  const auto remove = one->loss(Direction::remove);
  return std::make_shared<Parallel>(spec, greatest, remove,
                                    one->symmetric() ? remove : one->loss(Direction::add),
                                    adjacency, std::move(attainment));
}

std::vector<Parameter> part_parameters() {
  std::vector<Parameter> result;
  result.reserve(part_names.size());
  for (const char* name : part_names) {
    result.push_back({name, part_domain, result.size() < 2 ? "" : "none"});
  }
  return result;
}

}  // namespace

MechanismKind parallel_kind();
MechanismKind parallel_kind() {
  return {
      .name = "parallel",
      .summary = "mechanisms on disjoint parts of the records: each record meets one of them",
      .parameters = part_parameters(),
      .adjacency = "add_remove, or zero_out where a part has it",
      .theorem =
          "the greatest of the curves at each epsilon bounds all "
          "(docs/proofs/curves.md#parallel)",
      .example = "parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01))",
      .build = build_parallel,
  };
}

}  // namespace plaudit

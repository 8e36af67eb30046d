#include "verification/kernel/coq_file.hpp"

#include <algorithm>
#include <sstream>

#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

namespace {

/// Coq is slow to read very long lists.
constexpr std::size_t longest_list = 40;

template <class Items, class Text>
std::string joined_texts(const Items& items, const std::string& between, Text&& text) {
  std::string result;
  for (const auto& item : items) result.append(result.empty() ? "" : between).append(text(item));
  return result;
}

std::string text_of(const Cell& cell) {
  const auto atoms = [](const Atoms& all) {
    return "[" +
           joined_texts(all, "; ",
                        [](const auto& atom) {
                          return "(" + std::to_string(atom.first) + ", " + atom.second.str() + ")";
                        }) +
           "]";
  };
  return "CellChoice " + coq_natural(cell.slices) + " " + cell.weight_first.str() + " " +
         cell.weight_last.str() + " " + atoms(cell.spread_first) + " " + atoms(cell.spread_last);
}

std::string text_of(const Class& one) {
  return "ClassChoice " + coq_natural(one.whole) + " " + one.last.str() + " " +
         coq_integer(one.at) + " " + one.weight.str();
}

/// A list in pieces.
template <class Item>
std::string list_text(const std::string& name, const std::string& type,
                      const std::vector<Item>& items) {
  std::string result;
  std::string pieces;
  for (std::size_t begin = 0; begin < items.size(); begin += longest_list) {
    std::string piece = name;
    piece.append(1, '_').append(std::to_string(begin / longest_list));
    const std::vector<Item> some(
        items.begin() + static_cast<long>(begin),
        items.begin() + static_cast<long>(std::min(items.size(), begin + longest_list)));
    result.append("Definition ").append(piece).append(" : list ").append(type).append(" := [");
    result += joined_texts(some, "; ", [](const Item& item) { return text_of(item); });
    result += "]%Z.\n";
    if (!pieces.empty()) pieces += " ++ ";
    pieces += piece;
  }
  return result + "Definition " + name + " : list " + type + " := " + pieces + ".\n";
}

std::string step_text(std::size_t index, const ProvedStep& step, Mode mode) {
  const std::string number = std::to_string(index);
  const std::string law = "law" + number;
  const LawChoices& choices = step.choices;
  const bool up = mode == Mode::up;
  std::ostringstream out;
  out << step.source.text;
  out << (up ? list_text("cells" + number, "cell_choice", choices.cells)
             : list_text("cells" + number, "class_choice", choices.classes));
  out << "Definition plan" << number << " := " << (up ? "PlanUp " : "PlanDown ") << law
      << "_source (Place " << coq_integer(choices.first.at) << ' ' << choices.first.from << ' '
      << choices.first.upto << ") cells" << number << " (Layout " << coq_natural(choices.law.stride)
      << ' ' << choices.law.levels << ' ' << coq_integer(choices.law.offset) << ' '
      << coq_integer(choices.law.offset_coarse) << ' ' << coq_integer(choices.split) << ").\n";
  return out.str();
}

std::string program_text(const Program& program) {
  return "Definition program : list instruction := [" +
         joined_texts(program.instructions, "; ",
                      [](const Instruction& each) {
                        if (!each.product) return "Widen " + std::to_string(each.i);
                        const Window& window = each.window;
                        const std::string i = std::to_string(each.i);
                        return (each.i == each.j ? "Square " + i
                                                 : "Times " + i + " " + std::to_string(each.j)) +
                               " " + coq_natural(window.skip) + " " + coq_natural(window.length) +
                               " " + coq_natural(window.length_coarse);
                      }) +
         "].\n";
}

/// "law0_step; law1_step; ...", and so on.
std::string numbered(std::size_t count, const std::string& before, const std::string& behind) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    result.append(i == 0 ? "" : "; ").append(before).append(std::to_string(i)).append(behind);
  }
  return result;
}

std::string assumptions_text(std::size_t count) {
  std::string result = "(Forall2_nil _)";
  for (std::size_t i = count; i-- > 0;) {
    std::string next = "(Forall2_cons _ _ law";
    next.append(std::to_string(i)).append("_holds ").append(result).append(1, ')');
    result = std::move(next);
  }
  return result;
}

}  // namespace

std::string coq_comment(const std::string& text) {
  std::string inside;
  for (const char letter : text) {
    const char last = inside.empty() ? ' ' : inside.back();
    if ((last == '(' && letter == '*') || (last == '*' && letter == ')')) inside += ' ';
    inside += letter == '"' ? '\'' : letter;
  }
  return "(* " + inside + " *)\n";
}

std::string coq_head(long interval_bits) {
  const std::string bits = std::to_string(interval_bits);
  return "From Coq Require Import Reals ZArith List Lia Lra.\n"
         "From Interval Require Import Tactic.\n"
         "From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices "
         "Normal Gaussian\n  Runs Sources GaussianSteps Laplace Discrete Finite Adaptive Pure\n  "
         "Noise DataSets "
         "Vectors VectorQueries Attained Releases.\n"
         "Import List ListNotations.\nOpen Scope R_scope.\n"
         "Ltac enclosed := unfold encloses, at_grid, normal, beta, tilt; cbn [fst snd share_of "
         "centre start growth];\n"
         "  repeat split; try lia; interval with (i_prec " +
         bits +
         ").\n"
         "Ltac same_lists := unfold over, GaussianSteps.mirrored; cbn [map fst snd];\n"
         "  repeat (apply (f_equal2 (@cons (R * R))); [apply (f_equal2 (@pair R R)); lra |]); "
         "reflexivity.\n";
}

namespace {

/// The steps as Laws.v names them.
std::string named_steps(const TheoremData& theorem) {
  return joined_texts(theorem.steps, "; ", [](const ProvedStep& s) { return s.law->step(); });
}

std::string counts_text(const TheoremData& theorem) {
  return "[" +
         joined_texts(theorem.steps, "; ",
                      [](const ProvedStep& s) { return "Z.to_nat " + std::to_string(s.count); }) +
         "]";
}

/// e B D T, and for lower ends F.
std::string numbers_text(const TheoremData& theorem) {
  const FixedFormat& format = theorem.format;
  std::string text = std::to_string(format.e()) + ' ' + std::to_string(format.B()) + ' ' +
                     std::to_string(format.D()) + ' ' + std::to_string(theorem.T);
  if (format.mode() == Mode::down) text += ' ' + std::to_string(theorem.share_bits);
  return text;
}

/// ... and that they are not negative.
std::string numbers_and_signs(const TheoremData& theorem) {
  const bool up = theorem.format.mode() == Mode::up;
  return numbers_text(theorem) + " ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)" +
         (up ? "" : " ltac:(lia)");
}

std::string bound_text(const TheoremData& theorem) {
  return "(exp " + coq_rational(theorem.epsilon) + ") " + coq_rational(theorem.delta);
}

/// What is checked by computation, and where the claim lies on the lattice.
std::string checks_text(const TheoremData& theorem) {
  const bool up = theorem.format.mode() == Mode::up;
  const LatticeBound& law = theorem.program.result;
  std::ostringstream out;
  out << program_text(theorem.program);
  out << "Definition the_claim : claim := Claim " << theorem.place << ' ' << theorem.place_coarse
      << ' ' << coq_integer(law.offset) << ' ' << coq_integer(law.offset_coarse) << ' '
      << numerator(theorem.delta) << ' ' << denominator(theorem.delta) << ".\n";
  out << "Lemma checked : " << (up ? "private_by " : "not_private_by ") << numbers_text(theorem)
      << " [" << numbered(theorem.steps.size(), "plan", "") << "] program " << counts_text(theorem)
      << " the_claim = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n";
  const std::string numbers =
      std::to_string(theorem.format.e()) + ' ' + std::to_string(theorem.format.D());
  const std::string mode = up ? " Up " : " Down ";
  constexpr long spare_of_interval = 20;
  const NearExp& near = theorem.near;
  out << "Lemma at_place : claim_placed " << numbers << mode << "(exp "
      << coq_rational(theorem.epsilon) << ") the_claim.\nProof.\n  apply (claim_placed_by "
      << numbers << " ltac:(lia) ltac:(lia) " << near.bits << mode << near.value
      << "); [unfold placed; interval with (i_prec " << msb(near.value + 1) + spare_of_interval
      << ") | vm_compute; reflexivity].\nQed.\n";
  return out.str();
}

std::string theorem_text(const TheoremData& theorem) {
  const bool up = theorem.format.mode() == Mode::up;
  const std::size_t count = theorem.steps.size();
  const std::string counts = counts_text(theorem);
  std::ostringstream out;
  out << "Theorem holds : " << (up ? "" : "~ ") << "private (sequence (repeated ["
      << named_steps(theorem) << "]\n  " << counts << ") " << theorem.steps[0].law->step()
      << ") (total_count " << counts << ") " << bound_text(theorem) << ".\nProof.\n";
  const std::string arguments = numbers_and_signs(theorem) + "\n    [" +
                                numbered(count, "law", "_step") + "] law0_step [" +
                                numbered(count, "plan", "") + "] program " + counts + " the_claim";
  if (up) {
    out << "  exact (run_private " << arguments << " _\n    " << assumptions_text(count)
        << " checked at_place).\n";
  } else {
    out << "  refine (run_not_private " << arguments << " _ _\n    " << assumptions_text(count)
        << " checked at_place).\n  destruct (law0_holds ltac:(vm_compute; reflexivity)) as [N _]; "
           "exact N.\n";
  }
  out << "Qed.\n";
  return out.str();
}

/// Where one law is that of all steps with a property: the theorem of every adaptive mechanism
/// whose steps have it.
std::string adaptive_text(const TheoremData& theorem) {
  if (theorem.format.mode() == Mode::down || theorem.steps.size() != 1) return "";
  const auto property = theorem.steps[0].law->property();
  if (!property) return "";
  const std::string count = "(Z.to_nat " + std::to_string(theorem.steps[0].count) + ")";
  return "Theorem for_all : forall m : mechanism, (forall h, " + property->of_steps +
         " (m h)) ->\n  private m " + count + " " + bound_text(theorem) +
         ".\nProof.\n  intros m H.\n  exact (adaptive_private_once " + numbers_and_signs(theorem) +
         " law0_step plan0 program " + count +
         " the_claim _\n    law0_holds checked at_place m (fun h => " + property->no_worse +
         " (H h))).\nQed.\n";
}

using Releases = StepLaw::Releases;

/// The answers about data sets of each law, where all laws have them.
std::vector<Releases> all_releases(const TheoremData& theorem) {
  std::vector<Releases> all;
  for (const ProvedStep& step : theorem.steps) {
    const auto releases = step.law->releases();
    if (!releases) return {};
    all.push_back(*releases);
  }
  return all;
}

std::string kinds_text(const std::vector<Releases>& all) {
  return "[" + joined_texts(all, "; ", [](const Releases& one) { return one.kind; }) + "]";
}

std::string of_all(const std::vector<std::string>& proofs) {
  std::string result = "(Forall2_nil _)";
  for (std::size_t i = proofs.size(); i-- > 0;) {
    std::string next = "(Forall2_cons _ _ ";
    next.append(proofs[i]).append("\n    ").append(result).append(1, ')');
    result = std::move(next);
  }
  return result;
}

std::string direction_text(const TheoremData& theorem) {
  return theorem.direction == Direction::remove ? "remove" : "add";
}

/// The proof for this direction, from one for both where there is none.
std::string of_direction(const TheoremData& theorem, const std::string& proof,
                         const std::string& both) {
  if (!proof.empty() || both.empty()) return proof;
  return (theorem.direction == Direction::remove ? "(proj1 " : "(proj2 ") + both + ")";
}

/// The theorem about data sets, of all adaptive answers of these kinds.
std::string releases_text(const TheoremData& theorem) {
  const std::vector<Releases> all = all_releases(theorem);
  if (all.empty()) return "";
  const bool both = std::all_of(all.begin(), all.end(),
                                [](const Releases& one) { return !one.both_within.empty(); });
  std::vector<std::string> proofs;
  proofs.reserve(all.size());
  for (const Releases& one : all)
    proofs.push_back(both ? one.both_within : of_direction(theorem, one.within, one.both_within));
  const std::string counts = counts_text(theorem);
  const std::string what = both ? "differentially" : direction_text(theorem);
  return "Theorem on_data_sets : forall (Record : Type) (ask : list (list R) -> release Record),\n"
         "  in_turn " +
         kinds_text(all) + "\n    " + counts + " ask ->\n  releases_" + what +
         "_private ask (total_count " + counts + ") " + bound_text(theorem) +
         ".\nProof.\n  intros Record ask turns.\n  exact (run_" + what + "_private " +
         numbers_and_signs(theorem) + "\n    [" + numbered(all.size(), "law", "_step") +
         "] law0_step [" + numbered(all.size(), "plan", "") + "] program " + counts +
         " the_claim _\n    " + assumptions_text(all.size()) +
         " checked at_place _ ask turns\n    " + of_all(proofs) + ").\nQed.\n";
}

/// Of a lower end: answers of these kinds that attain it.
std::string releases_attained_text(const TheoremData& theorem) {
  const std::vector<Releases> all = all_releases(theorem);
  if (all.empty()) return "";
  std::vector<std::string> proofs;
  proofs.reserve(all.size());
  for (const Releases& one : all)
    proofs.push_back(of_direction(theorem, one.attained, one.both_attained));
  const std::string counts = counts_text(theorem);
  const std::string direction = direction_text(theorem);
  return "Theorem attained_on_data_sets : forall (Record : Type) (one : Record),\n"
         "  exists ask : list (list R) -> release Record, in_turn " +
         kinds_text(all) + "\n    " + counts + " ask /\\\n  ~ releases_" + direction +
         "_private ask (total_count " + counts + ") " + bound_text(theorem) +
         ".\nProof.\n  intros Record one.\n  exact (run_not_" + direction + "_private one _ [" +
         numbered(all.size(), "law", "_step") + "] law0_step " + counts +
         "\n    _ _ eq_refl holds\n    " + of_all(proofs) + ").\nQed.\n";
}

/// The theorem about data sets; where there is one law, of all adaptive queries within its step.
std::string data_sets_text(const TheoremData& theorem) {
  if (theorem.format.mode() == Mode::down) return "";
  const auto queries = theorem.steps.size() == 1 ? theorem.steps[0].law->queries() : std::nullopt;
  if (!queries) return releases_text(theorem);
  const std::string count = "(Z.to_nat " + std::to_string(theorem.steps[0].count) + ")";
  return "Theorem on_data_sets : " + queries->given + "\n  " + queries->private_ + " " + count +
         " " + bound_text(theorem) + ".\nProof.\n  intros " + queries->names + ".\n  exact (" +
         queries->theorem + " " + numbers_and_signs(theorem) + " law0_step plan0 program " + count +
         " the_claim _\n    law0_holds checked at_place Record _ " + queries->within + ").\nQed.\n";
}

/// Of a lower end: queries to data sets that attain it.
std::string attained_text(const TheoremData& theorem) {
  if (theorem.format.mode() == Mode::up) return "";
  const auto worst = theorem.steps.size() == 1 ? theorem.steps[0].law->worst_query() : std::nullopt;
  if (!worst) return releases_attained_text(theorem);
  const std::string count = "(Z.to_nat " + std::to_string(theorem.steps[0].count) + ")";
  return "Theorem attained_on_data_sets : " + worst->given + "\n  ~ " + worst->private_ + " " +
         count + " " + bound_text(theorem) + ".\nProof.\n  intros " + worst->names +
         ".\n  exact (" + worst->theorem + " _ _ _ " + count + " _ _ (" + worst->attained + ") " +
         worst->names + " holds).\nQed.\n";
}

}  // namespace

CoqModule coq_module(const TheoremData& theorem) {
  CoqModule result{"Module " + theorem.module + ".\n", {theorem.module + ".holds"}};
  for (std::size_t i = 0; i < theorem.steps.size(); ++i)
    result.text += step_text(i, theorem.steps[i], theorem.format.mode());
  result.text += checks_text(theorem) + theorem_text(theorem);
  const std::string adaptive = adaptive_text(theorem);
  const std::string data_sets = data_sets_text(theorem);
  const std::string attained = attained_text(theorem);
  if (!adaptive.empty()) result.theorems.push_back(theorem.module + ".for_all");
  if (!data_sets.empty()) result.theorems.push_back(theorem.module + ".on_data_sets");
  if (!attained.empty()) result.theorems.push_back(theorem.module + ".attained_on_data_sets");
  result.text += adaptive + data_sets + attained + "End " + theorem.module + ".\n";
  return result;
}

std::string coq_end(const std::vector<std::string>& theorems) {
  return "\nDefinition all_theorems := (" +
         joined_texts(theorems, ", ", [](const std::string& name) { return name; }) +
         ").\nPrint Assumptions all_theorems.\n";
}

}  // namespace plaudit::kernel

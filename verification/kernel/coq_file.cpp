#include "verification/kernel/coq_file.hpp"

#include <algorithm>
#include <sstream>

namespace plaudit::kernel {

namespace {

/// Coq is slow to read very long lists.
constexpr std::size_t longest_list = 40;

std::string text_of(const Bounds& bounds) {
  return "(" + bounds.low.str() + ", " + bounds.high.str() + ")%Z";
}

std::string in_brackets(long n) { return "(" + std::to_string(n) + ")"; }

std::string natural(long n) { return "(Z.to_nat " + std::to_string(n) + ")"; }

std::string quotient(const Rational& x) {
  return "(" + numerator(x).str() + " / " + denominator(x).str() + ")";
}

template <class Items, class Text>
std::string joined_texts(const Items& items, const std::string& between, Text&& text) {
  std::string result;
  for (const auto& item : items) result.append(result.empty() ? "" : between).append(text(item));
  return result;
}

std::string parts_text(const std::string& name, const Mixture& mixture) {
  return "Definition " + name + " : list part := [" +
         joined_texts(mixture.parts, "; ",
                      [](const Part& part) {
                        return "Part " + part.share.str() + " " + in_brackets(part.centre) + " " +
                               text_of(part.start) + " " + text_of(part.growth);
                      }) +
         "]%Z.\n";
}

/// Coq's source of one step, and the lemma that it holds.
std::string source_text(const std::string& law, const GaussianSource& source) {
  const Grid& grid = source.grid;
  const std::string points = std::to_string(grid.points);
  const std::string denominators = source.p.denominator.str() + " " + source.q.denominator.str();
  std::ostringstream out;
  out << parts_text(law + "_ps", source.p) << parts_text(law + "_qs", source.q);
  out << "Definition " << law << "_source : source := gaussian_source " << source.T << ' '
      << numerator(source.beta) << ' ' << denominator(source.beta) << ' ' << points << ' '
      << in_brackets(grid.first) << ' ' << denominators << ' ' << law << "_ps " << law << "_qs "
      << natural(grid.cells) << ' ' << natural(source.table_size) << ' '
      << text_of(source.density_at_0) << ' ' << text_of(source.first_factor) << ' '
      << text_of(source.second_factor) << ' ' << source.B << ' ' << source.outside << ".\n";
  out << "Definition " << law << "_step : step := the_step " << points << ' '
      << quotient(source.pair.sigma) << ' ' << denominators << ' ' << law << "_ps " << law
      << "_qs.\n";
  out << "Lemma " << law << "_holds : source_holds " << source.B << ' ' << source.T << ' ' << law
      << "_step " << law << "_source.\nProof.\n  unfold " << law << "_step, " << law
      << "_source. apply gaussian_source_holds; try lia; try lra.\n  - unfold beta. lra.\n  - "
         "enclosed.\n"
         "  - enclosed.\n  - enclosed.\n  - unfold "
      << law << "_ps. repeat constructor; enclosed.\n  - unfold " << law
      << "_qs. repeat constructor; enclosed.\nQed.\n";
  return out.str();
}

std::string text_of(const Cell& cell) {
  const auto atoms = [](const Atoms& all) {
    return "[" +
           joined_texts(all, "; ",
                        [](const auto& atom) {
                          return "(" + in_brackets(atom.first) + ", " + atom.second.str() + ")";
                        }) +
           "]";
  };
  return "CellChoice " + natural(cell.slices) + " " + cell.weight_first.str() + " " +
         cell.weight_last.str() + " " + atoms(cell.spread_first) + " " + atoms(cell.spread_last);
}

std::string text_of(const Class& one) {
  return "ClassChoice " + natural(one.whole) + " " + one.last.str() + " " + in_brackets(one.at) +
         " " + one.weight.str();
}

/// A list in pieces.
template <class Item>
std::string list_text(const std::string& name, const std::string& type,
                      const std::vector<Item>& items) {
  std::string result;
  std::string pieces;
  for (std::size_t begin = 0; begin < items.size(); begin += longest_list) {
    const std::string piece = name + "_" + std::to_string(begin / longest_list);
    const std::vector<Item> some(
        items.begin() + static_cast<long>(begin),
        items.begin() + static_cast<long>(std::min(items.size(), begin + longest_list)));
    result += "Definition " + piece + " : list " + type + " := [" +
              joined_texts(some, "; ", [](const Item& item) { return text_of(item); }) + "]%Z.\n";
    pieces += (pieces.empty() ? "" : " ++ ") + piece;
  }
  return result + "Definition " + name + " : list " + type + " := " + pieces + ".\n";
}

std::string step_text(std::size_t index, const ProvedStep& step, Mode mode) {
  const std::string number = std::to_string(index);
  const std::string law = "law" + number;
  const LawChoices& choices = step.choices;
  const bool up = mode == Mode::up;
  std::ostringstream out;
  out << source_text(law, step.source);
  out << (up ? list_text("cells" + number, "cell_choice", choices.cells)
             : list_text("cells" + number, "class_choice", choices.classes));
  out << "Definition plan" << number << " := " << (up ? "PlanUp " : "PlanDown ") << law
      << "_source (Place " << in_brackets(choices.first.at) << ' ' << choices.first.from << ' '
      << choices.first.upto << ") cells" << number << " (Layout 1 " << choices.law.levels << ' '
      << in_brackets(choices.law.offset) << ' ' << in_brackets(choices.law.offset_coarse) << ' '
      << in_brackets(choices.split) << ").\n";
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
                               " " + natural(window.skip) + " " + natural(window.length) + " " +
                               natural(window.length_coarse);
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
    result = "(Forall2_cons _ _ law" + std::to_string(i) + "_holds " + result + ")";
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
         "Normal Gaussian "
         "Runs.\n"
         "Import ListNotations.\nOpen Scope R_scope.\n"
         "Ltac enclosed := unfold encloses, at_grid, normal, beta, tilt; cbn [fst snd share_of "
         "centre start growth];\n"
         "  repeat split; try lia; interval with (i_prec " +
         bits +
         ").\n"
         "Ltac at_its_place := unfold claim_placed, placed, Y, rho; cbn [u u_coarse at_off "
         "at_off_coarse];\n"
         "  split; interval with (i_prec " +
         bits + ").\n";
}

std::string coq_module(const TheoremData& theorem) {
  const bool up = theorem.format.mode() == Mode::up;
  const std::size_t count = theorem.steps.size();
  const LatticeBound& law = theorem.program.result;
  std::ostringstream out;
  out << "Module " << theorem.module << ".\n";
  for (std::size_t i = 0; i < count; ++i)
    out << step_text(i, theorem.steps[i], theorem.format.mode());
  out << program_text(theorem.program);
  out << "Definition the_claim : claim := Claim " << theorem.place << ' ' << theorem.place_coarse
      << ' ' << in_brackets(law.offset) << ' ' << in_brackets(law.offset_coarse) << ' '
      << numerator(theorem.delta) << ' ' << denominator(theorem.delta) << ".\n";
  std::ostringstream numbers;
  numbers << theorem.format.e() << ' ' << theorem.format.B() << ' ' << theorem.format.D() << ' '
          << theorem.T;
  if (!up) numbers << ' ' << theorem.share_bits;
  const std::string plans = "[" + numbered(count, "plan", "") + "]";
  const std::string steps = "[" + numbered(count, "law", "_step") + "]";
  const std::string counts =
      "[" +
      joined_texts(theorem.steps, "; ",
                   [](const ProvedStep& s) { return "Z.to_nat " + std::to_string(s.count); }) +
      "]";
  const std::string exponential = "(exp " + quotient(theorem.epsilon) + ")";
  const std::string positive = up ? " ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)"
                                  : " ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)";
  const std::string arguments =
      positive + " " + steps + " law0_step " + plans + " program " + counts + " the_claim";
  out << "Lemma checked : " << (up ? "private_by " : "not_private_by ") << numbers.str() << ' '
      << plans << " program " << counts
      << " the_claim = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
      << "Lemma at_place : claim_placed " << theorem.format.e() << ' ' << theorem.format.D()
      << (up ? " Up " : " Down ") << exponential
      << " the_claim.\nProof. unfold the_claim. at_its_place. Qed.\n"
      << "Theorem holds : " << (up ? "" : "~ ") << "private (sequence (repeated " << steps << ' '
      << counts << ") law0_step) (total_count " << counts << ") " << exponential << ' '
      << quotient(theorem.delta) << ".\nProof.\n";
  if (up) {
    out << "  exact (run_private " << numbers.str() << arguments << " _ " << assumptions_text(count)
        << " checked at_place).\n";
  } else {
    out << "  refine (run_not_private " << numbers.str() << arguments << " _ _ "
        << assumptions_text(count)
        << " checked at_place).\n  destruct (law0_holds ltac:(vm_compute; reflexivity)) as [N _]; "
           "exact N.\n";
  }
  out << "Qed.\nEnd " << theorem.module << ".\nPrint Assumptions " << theorem.module << ".holds.\n";
  return out.str();
}

}  // namespace plaudit::kernel

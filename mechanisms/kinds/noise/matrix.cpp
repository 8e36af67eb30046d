// matrix(encoder, sigma, ...): the matrix mechanism, or correlated noise: C g + N(0, sigma^2) for a
// stream g of steps and a lower triangular encoder C. Proof: docs/proofs/matrix.md#adaptive
#include "mechanisms/forms/matrix_mechanism.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

namespace {

std::string rows_text(const EncoderRows& rows) {
  std::string text = "[";
  for (const std::vector<Rational>& row : rows) {
    text += (text.size() > 1 ? ", " : "") + list_text(row);
  }
  return text + ']';
}

MechanismPointer build_matrix(const Arguments& arguments) {
  const syntax::Vectors* written = arguments.vectors("encoder");
  const EncoderRows rows = written != nullptr ? *written : read_encoder(arguments.text("encoder"));
  check_encoder(rows);
  const std::string encoder =
      written != nullptr ? rows_text(rows) : '"' + arguments.text("encoder") + '"';
  return matrix_mechanism("matrix", "matrix(encoder=" + encoder, rows.size(), gram_of(rows),
                          arguments);
}

}  // namespace

MechanismKind matrix_kind();
MechanismKind matrix_kind() {
  return {
      .name = "matrix",
      .summary =
          "noise N(0, sigma^2) on the rows of a lower triangular matrix times a stream of steps",
      .parameters =
          matrix_parameters({{"encoder", "a list of rows, or the name of a JSON file of them"}}),
      .adjacency =
          "as_stated: the one for which a record moves each of at most `participations` steps, any "
          "two "
          "of them `min_separation` apart, by at most `sensitivity`; both alike",
      .theorem =
          "the Gaussian pair of the greatest distance that a record can move the rows by, also for "
          "adaptive "
          "streams (docs/proofs/matrix.md#adaptive)",
      .example = "matrix(encoder=[[1, 0], [0.5, 1]], sigma=2)",
      .build = build_matrix,
  };
}

}  // namespace plaudit

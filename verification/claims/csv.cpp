#include "verification/claims/csv.hpp"

#include <algorithm>
#include <iterator>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_cells = 1000;

/// The comma, or else the semicolon or the tab, where the header line has more of these outside of
/// quotes: spreadsheets write them where the comma is the decimal mark.
char separator_of(std::string_view text) {
  const std::string_view separators = ",;\t";
  std::size_t counts[3] = {};
  bool quoted = false;
  bool begun = false;  // blank lines are no header
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == '\n' && !quoted && begun) break;
    begun = begun || (c != '\n' && c != '\r');
    const std::size_t which = separators.find(c);
    if (!quoted && which != separators.npos) ++counts[which];
  }
  const auto most = std::max_element(std::begin(counts), std::end(counts));  // the first of equals
  return separators[static_cast<std::size_t>(most - std::begin(counts))];
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") text_.remove_prefix(3);  // byte order mark
    separator_ = separator_of(text_);
  }

  std::vector<CsvRecord> records() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (state_ == State::quoted) {
        in_quotes(c);
      } else if (c == separator_) {
        end_cell();
      } else if (c == '\n') {
        end_record();
      } else if (c == '\r') {
        check_line_end();
      } else if (state_ == State::closed) {
        if (!is_blank(c)) fail("there is text after the closing quote");
      } else if (c == '"') {
        if (!trimmed(cell_).empty()) fail("a cell with a quote must start with one");
        cell_.clear();
        state_ = State::quoted;
        quote_line_ = line_;
      } else {
        cell_ += c;
        started_ = true;
      }
    }
    if (state_ == State::quoted) {
      line_ = quote_line_;
      fail("a quote is not closed");
    }
    end_record();
    return std::move(records_);
  }

 private:
  enum class State { plain, quoted, closed };

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  [[noreturn]] void fail(const std::string& what) const {
    static const std::vector<std::string> none;
    const std::vector<std::string>& header = records_.empty() ? none : records_[0].cells;
    throw InputError(csv_place(line_, record_.cells.size() + 1, header) + ": " + what);
  }

  void in_quotes(char c) {
    started_ = true;
    if (c == '\r') check_line_end();
    if (c == '\n') ++line_;
    if (c != '"') {
      if (c != '\r') cell_ += c;
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      cell_ += c;
      ++at_;
    } else {
      state_ = State::closed;
    }
  }

  void check_line_end() const {
    if (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
      fail("there is a carriage return that does not end the line");
    }
  }

  void end_cell() {
    record_.cells.push_back(std::move(cell_));
    cell_.clear();
    state_ = State::plain;
    started_ = true;
    if (record_.cells.size() > most_cells) fail("there are more than 1000 cells");
  }

  void end_record() {
    if (started_) {
      record_.cells.push_back(std::move(cell_));
      record_.line = first_line_;
      records_.push_back(std::move(record_));
      record_ = CsvRecord();
      cell_.clear();
    }
    started_ = false;
    state_ = State::plain;
    first_line_ = ++line_;
  }

  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t first_line_ = 1;
  std::size_t quote_line_ = 1;  ///< of the last opening quote
  State state_ = State::plain;
  bool started_ = false;  ///< the record has a character or a separator
  std::string cell_;
  CsvRecord record_;
  std::vector<CsvRecord> records_;
};

}  // namespace

std::string csv_place(std::size_t line, std::size_t column,
                      const std::vector<std::string>& header) {
  std::string place = "CSV: line " + std::to_string(line) + ", column " + std::to_string(column);
  if (column <= header.size()) place += " (" + abbreviated(trimmed(header[column - 1])) + ")";
  return place;
}

std::vector<CsvRecord> csv_records(std::string_view text) { return Reader(text).records(); }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace plaudit

// plaudit batch REQUESTS.jsonl: one JSON request per line, one JSON answer per line.
//
// Lines are read in windows, whose size bounds the memory. Workers (cli/isolated.hpp) answer the
// lines of a window, and the answers are written in the order of the lines.
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "cli/commands.hpp"
#include "cli/line_reader.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/language/file_access.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/reports/json_text.hpp"
#include "verification/requests/answers.hpp"

namespace plaudit::cli {

namespace {

constexpr std::size_t most_lines = 20'000;       ///< of a window
constexpr std::size_t most_bytes = 16'000'000;   ///< of its lines
constexpr std::size_t most_lines_of_block = 64;  ///< that one worker answers in a row

struct BatchOptions : Options {
  std::string file;
  std::string shard;
  std::string resume;
  std::string files;
};

/// Which lines are ours: `first`, `first + step`, ..., counted from 1.
struct Shard {
  std::uint64_t first = 1;
  std::uint64_t step = 1;

  bool has(std::uint64_t line) const { return line % step == first % step; }
};

Shard read_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::string domain =
      "--shard must be I/N with integers 1 <= I <= N, not " + abbreviated(text);
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError(domain);
  const auto integer = [&](const std::string& digits) -> std::uint64_t {
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      throw UsageError(domain);
    }
    return std::stoull(digits);
  };
  const Shard shard{integer(text.substr(0, slash)), integer(text.substr(slash + 1))};
  if (shard.first < 1 || shard.first > shard.step) throw UsageError(domain);
  return shard;
}

/// The ids that are answered in a file. A torn last line is ended where the answers go on behind
/// it.
std::unordered_set<std::string> answered_ids(const std::string& file) {
  std::unordered_set<std::string> ids;
  if (file.empty()) return ids;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw UsageError("--resume: cannot read " + abbreviated(file, 200));
  }
  std::string line;
  bool torn = false;
  while (std::getline(in, line)) {
    torn = in.eof();
    if (auto id = id_of_answer(line)) ids.insert(std::move(*id));
  }
  if (torn && is_standard_output(file)) std::cout << '\n';
  return ids;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r") == std::string::npos;
}

/// The spec of a request, as far as a look at the text shows it: for neighbours that have the same.
std::string_view spec_in(const std::string& text) {
  constexpr std::string_view field = "\"spec\"";
  const std::size_t name = text.find(field);
  const std::size_t start = name == text.npos ? name : text.find('"', name + field.size());
  if (start == text.npos) return {};
  return std::string_view(text).substr(start, text.find('"', start + 1) - start);
}

/// What was proven where the work ended, and why it ended.
std::string answer_after(const End& end) {
  Json answer = Json::parse(end.so_far);
  if (!answer["reached"].get<bool>()) answer["remark"] = printable(end.words);
  return one_line(answer);
}

class Batch {
 public:
  explicit Batch(const BatchOptions& options)
      : options_(options),
        shard_(read_shard(options.shard)),
        lines_(options.file),
        answered_(answered_ids(options.resume)),
        answers_(defaults(), true) {
    set_file_access(options.files.empty() ? FileAccess::none() : FileAccess::within(options.files));
  }

  int run() {
    while (read_window()) {
      answer_window();
      if (!std::cout) break;  // main() says so
    }
    if (errors_ > 0) {
      complain("batch: " + std::to_string(errors_) + " of " + std::to_string(written_) +
               " answers are errors");
    }
    return exit_done;
  }

 private:
  AnswerOptions defaults() const {
    AnswerOptions result = answer_options(options_);
    result.threads = 1;  // the workers are the threads
    return result;
  }

  bool read_window() {
    window_.clear();
    std::size_t bytes = 0;
    while (window_.size() < most_lines && bytes < most_bytes) {
      std::optional<Line> line = lines_.next(window_.empty());
      if (!line) break;
      if (!shard_.has(line->number)) continue;
      if (is_blank(line->text) && !line->too_long) continue;
      if (!answered_.empty() && answered_.count(id_of(line->text, line->number)) > 0) continue;
      bytes += line->text.size();
      window_.push_back(std::move(*line));
    }
    return !window_.empty();
  }

  Blocks blocks() const {
    Blocks result;
    for (std::size_t i = 0; i < window_.size(); ++i) {
      const std::string_view spec = spec_in(window_[i].text);
      const bool joins = !result.empty() && !spec.empty() && spec == spec_in(window_[i - 1].text) &&
                         result.back().size() < most_lines_of_block;
      if (joins) {
        result.back().push_back(i);
      } else {
        result.push_back({i});
      }
    }
    return result;
  }

  void answer_window() {
    std::vector<std::string> told(window_.size());
    std::vector<bool> done(window_.size(), false);
    std::size_t next = 0;
    const auto work = [&](std::size_t i, const Tell& tell) {
      const Line& line = window_[i];
      if (line.too_long) {
        throw UsageError("request: has more than " + std::to_string(longest_line) + " characters");
      }
      tell(answers_.answer(line.text, id_of(line.text, line.number),
                           [&](const std::string& text) { tell.so_far(text); }));
    };
    const auto hear = [&](std::size_t i, const std::string& message) { told[i] = message; };
    const auto ended = [&](std::size_t i, const End& end) {
      const bool known = end.how != Ending::finished && end.how != Ending::refused &&
                         end.how != Ending::broken && told[i].empty() && !end.so_far.empty();
      if (known) told[i] = answer_after(end);
      if (end.how == Ending::failed) ++errors_;
      if (!known && (end.how != Ending::finished || told[i].empty())) {
        if (end.how != Ending::failed) ++errors_;
        told[i] = Answers::error(id_of(window_[i].text, window_[i].number),
                                 end.words.empty() ? "internal error" : printable(end.words));
      }
      done[i] = true;
      const std::size_t first = next;
      for (; next < window_.size() && done[next]; ++next, ++written_) {
        std::cout << told[next] << '\n';
        told[next].clear();
        told[next].shrink_to_fit();
      }
      if (next > first) std::cout.flush();
      progress_.done(static_cast<std::size_t>(written_));
    };
    IsolatedWork what{work, hear, ended};
    what.enough = [] { return !std::cout; };
    run_isolated(blocks(), options_.threads, options_.backstop(), what);
  }

  const BatchOptions& options_;
  Shard shard_;
  LineReader lines_;
  std::unordered_set<std::string> answered_;
  Answers answers_;
  std::vector<Line> window_;
  std::uint64_t written_ = 0;
  std::uint64_t errors_ = 0;
  Progress progress_{0, "requests answered"};
};

}  // namespace

void add_batch_command(CommandLine& line) {
  const auto options = std::make_shared<BatchOptions>();
  Command command =
      line.command("batch", "many questions: one JSON request per line, one JSON answer per line",
                   [options] { return Batch(*options).run(); });
  command.option("REQUESTS", options->file, "a file of JSON lines; - is standard input").required();
  add_digits_option(command, *options);
  add_direction_option(command, *options);
  command
      .option("--accountant", options->accountant, "a name of `plaudit list accountants`, or auto")
      .shows_default();
  command.option("--shard", options->shard, "I/N: only the lines I, I+N, I+2N, ...");
  command.option("--resume", options->resume,
                 "a file of answers: what is answered there is left out");
  command.option("--allow-files", options->files,
                 "a folder: specs may name law files in it, pld(file=\"...\")");
  add_threads_option(command, options->threads);
  add_limit_options(command, *options, "for each request, after which a wider band is given");
  command.examples({"plaudit batch requests.jsonl > answers.jsonl",
                    "plaudit batch requests.jsonl --threads 8 --shard 2/10 > answers-2.jsonl"});
}

}  // namespace plaudit::cli

#include "cli/plot.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "cli/report.hpp"
#include "cli/usage_error.hpp"

namespace plaudit::cli {

namespace {

constexpr double ln10 = 2.302585092994045684;

/// A number for gnuplot; "?" marks what cannot be drawn.
std::string coordinate(double value) {
  if (!std::isfinite(value)) return "?";
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

/// deltas are drawn by their decimal logarithm: they may lie far below what a double can hold.
std::string value_coordinate(Quantity quantity, const Ball& value) {
  return coordinate(quantity == Quantity::epsilon ? value.estimate() : value.estimate_log() / ln10);
}

std::string argument_coordinate(Quantity quantity, const Rational& value) {
  return coordinate(quantity == Quantity::epsilon ? estimate_log(value) / ln10 : estimate(value));
}

/// In single quotes gnuplot takes everything literally but the quote itself. A name that starts
/// with '|' would be a command and one with '~' a home directory: "./" makes it a file.
std::string file_literal(const std::string& file) {
  std::string literal = file.empty() || file[0] == '/' ? "'" : "'./";
  for (const char c : file) {
    if (static_cast<unsigned char>(c) < ' ') {
      throw UsageError("--svg must be a file name without control characters");
    }
    literal += c;
    if (c == '\'') literal += '\'';
  }
  return literal + "'";
}

/// What was run and for which adjacency, in two lines. A quote is doubled: what follows a single
/// one would be a command.
std::string title_of(const Composition& composition) {
  constexpr std::size_t longest_title = 90;
  const std::string spec = composition.spec();
  std::string title;
  for (const char c : spec.substr(0, longest_title)) title += c == '\'' ? "''" : std::string(1, c);
  if (spec.size() > longest_title) title += "...";
  std::string adjacency;
  for (const char c : adjacency_line(composition.adjacency())) {
    adjacency += c == '\'' ? "''" : std::string(1, c);
  }
  return "'" + title + "'.\"\\n\".'" + adjacency + "'";
}

std::string script(const std::string& file, const std::string& title, Quantity quantity,
                   const std::vector<Point>& points) {
  std::ostringstream text;
  text << "set terminal svg background \"white\" size 800,500 noenhanced\n"
       << "set output " << file_literal(file) << '\n'
       << "set title " << title << '\n'
       << "set xlabel '" << argument_name(quantity) << "'\n"
       << "set ylabel '" << name_of(quantity) << "'\n"
       << "set format " << (quantity == Quantity::epsilon ? 'x' : 'y') << " '1e%g'\n"
       << "set datafile missing '?'\nset grid\nset key bottom left\n$curve << END\n";
  for (const Point& point : points) {
    const Enclosure& band = point.answer.band;
    text << argument_coordinate(quantity, point.argument) << ' '
         << value_coordinate(quantity, band.lower) << ' ' << value_coordinate(quantity, band.upper)
         << '\n';
  }
  text << "END\n"
       << "plot $curve using 1:3 with lines lw 5 lc rgb '#f2a6a0' title 'certified upper end', "
          "$curve using 1:2 with lines lw 1.5 lc rgb '#17406d' title 'certified lower end'\n"
       << "unset output\n";
  return text.str();
}

}  // namespace

bool have_gnuplot() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/gnuplot").c_str(), X_OK) == 0) return true;
  }
  return false;
}

void plot_svg(const std::string& file, const Composition& composition, Quantity quantity,
              const std::vector<Point>& points) {
  // gnuplot reports a file it cannot open in its own words and several lines; ask first.
  std::FILE* probe = std::fopen(file.c_str(), "wb");
  if (probe == nullptr) throw UsageError("--svg: cannot write the file");
  std::fclose(probe);

  const std::string commands = script(file, title_of(composition), quantity, points);
  const auto former = std::signal(SIGPIPE, SIG_IGN);
  std::FILE* gnuplot = popen("gnuplot >/dev/null 2>&1", "w");
  const bool sent = gnuplot != nullptr &&
                    std::fwrite(commands.data(), 1, commands.size(), gnuplot) == commands.size();
  const int status = gnuplot == nullptr ? -1 : pclose(gnuplot);
  std::signal(SIGPIPE, former);
  if (!sent || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw UsageError("--svg: gnuplot failed");
  }
}

}  // namespace plaudit::cli

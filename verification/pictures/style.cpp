#include "verification/pictures/style.hpp"

namespace plaudit::pictures {

// Contrast with the ground is at least 4.5 for all that is text.
std::string light_colours() {
  return "--ground:#fff;--panel:#f6f8fa;--ink:#1b1f24;--quiet:#57606a;--line:#d8dee4;"
         "--curve:#17406d;--band:#9ec5f4;--refuted:#b42318;--valid:#1a7f37;--tight:#0a5fa8;"
         "--undecided:#7d5700;--error:#5c5c5c;";
}

std::string dark_colours() {
  return "--ground:#0d1117;--panel:#161b22;--ink:#e6edf3;--quiet:#9da7b1;--line:#30363d;"
         "--curve:#79b8ff;--band:#1f4e86;--refuted:#ff8178;--valid:#56d364;--tight:#6cb6ff;"
         "--undecided:#e3b341;--error:#b0b0b0;";
}

std::string picture_style() {
  return R"(
svg.plaudit{display:block;font:14px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;
font-variant-numeric:tabular-nums}
svg.plaudit text{fill:var(--ink);paint-order:stroke;stroke:var(--ground);stroke-width:3px;
stroke-linejoin:round}
svg.plaudit text.quiet{fill:var(--quiet)}svg.plaudit text.strong{font-weight:600}
svg.plaudit text.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
font-weight:600}
.plaudit .ground{fill:var(--ground)}.plaudit .grid{stroke:var(--line);stroke-width:1}
.plaudit .axis{stroke:var(--quiet);stroke-width:1}
.plaudit .certified{fill:var(--band);fill-opacity:.55}
.plaudit .curve{fill:none;stroke:var(--curve);stroke-width:2.25;stroke-linejoin:round}
.plaudit .estimated{stroke-dasharray:6 4}
.plaudit .proven{fill:var(--curve);stroke:var(--curve)}
.plaudit .gap{fill:none;stroke:var(--ink);stroke-width:1.25}
.plaudit .hint{fill:none;stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3}
.plaudit .reach{fill:none;stroke-width:3.5;stroke-linecap:butt;opacity:.5}
.plaudit .mark{stroke:var(--ground);stroke-width:1.5;paint-order:stroke;stroke-linejoin:round}
.plaudit .refuted{fill:var(--refuted)}.plaudit .reach.refuted{stroke:var(--refuted)}
.plaudit .valid{fill:var(--valid)}.plaudit .reach.valid{stroke:var(--valid)}
.plaudit .tight{fill:var(--tight)}.plaudit .reach.tight{stroke:var(--tight)}
.plaudit .undecided{fill:var(--undecided)}.plaudit .reach.undecided{stroke:var(--undecided)}
.plaudit .error{fill:var(--error)}.plaudit .reach.error{stroke:var(--error)}
svg.plaudit text.refuted{fill:var(--refuted)}svg.plaudit text.valid{fill:var(--valid)}
svg.plaudit text.tight{fill:var(--tight)}svg.plaudit text.undecided{fill:var(--undecided)}
svg.plaudit text.error{fill:var(--error)}
)";
}

}  // namespace plaudit::pictures

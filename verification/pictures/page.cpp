#include "verification/pictures/page.hpp"

#include "verification/pictures/escaped.hpp"
#include "verification/pictures/style.hpp"

namespace plaudit::pictures {

namespace {

constexpr const char* page_style = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:64rem;padding:2rem 1.5rem 4rem;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;
overflow-wrap:anywhere}
a{color:var(--tight);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--tight);
outline-offset:2px}
h1,h2,h3,p,figure,dl,dd,table{margin:0}
h1{font-size:1.75rem;line-height:1.25;letter-spacing:-.01em}
h2{font-size:1.125rem;line-height:1.4;margin-bottom:.75rem}
h2.code,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
h2.code{font-size:1rem;margin-bottom:.25rem}
h3{font-size:1rem;line-height:1.4;font-weight:600}
.quiet{color:var(--quiet);font-size:.9375rem}
header{margin-bottom:2.5rem}header .quiet{margin-top:.25rem}
.counts{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0;padding:0;list-style:none}
.counts li{flex:1 1 8rem;border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;
background:var(--panel)}
.counts b{display:block;font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums}
.badge{display:inline-flex;align-items:center;gap:.375rem;font-weight:600;white-space:nowrap}
.badge.refuted{color:var(--refuted)}.badge.valid{color:var(--valid)}
.badge.tight{color:var(--tight)}.badge.undecided{color:var(--undecided)}
.badge.error{color:var(--error)}
svg.icon{display:inline-block;width:1rem;height:1rem;flex:none}
.summary{margin-bottom:3rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:0;background:var(--panel);font-weight:600;white-space:nowrap}
td.number,th.number{text-align:right}td.id{min-width:9rem}
td{overflow-wrap:break-word}td.id,td .long{overflow-wrap:anywhere}
.whole,td.gap{white-space:nowrap}
.run{border:1px solid var(--line);border-radius:.75rem;margin:0 0 2rem;overflow:hidden}
.run>header{margin:0;padding:1.25rem 1.25rem 1rem;background:var(--panel)}
.run>figure{padding:1.25rem;border-top:1px solid var(--line)}
figcaption{color:var(--quiet);font-size:.9375rem;margin-top:.5rem}
article{border-top:1px solid var(--line);padding:1.25rem;scroll-margin-top:1rem}
article:target{box-shadow:inset 3px 0 0 var(--tight)}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.125rem 1rem;
margin-bottom:.5rem}
.body{display:grid;grid-template-columns:minmax(0,1fr) 344px;grid-template-rows:auto 1fr;
gap:.9rem 2rem;align-items:start}
.body>svg,.body>details{grid-column:2;grid-row:1/span 2}
.body.alone{grid-template-columns:minmax(0,1fr)}
dl{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:.3rem 1rem;
font-size:.9375rem}
dt{color:var(--quiet)}dd{font-variant-numeric:tabular-nums}
details>summary{cursor:pointer;color:var(--quiet);font-size:.9375rem}
details>svg{margin-top:.5rem}
svg.plaudit.one{width:100%;max-width:344px;height:auto}
svg.plaudit.wide{width:100%;max-width:720px;height:auto}svg.plaudit.narrow{display:none}
@media(min-width:64rem){.run>figure{display:grid;grid-template-columns:720px 1fr;gap:1.5rem}
figcaption{margin-top:1.75rem}}
@media(max-width:51rem){.body{grid-template-columns:minmax(0,1fr);grid-template-rows:none}
.body>svg,.body>details{grid-column:1;grid-row:auto}svg.plaudit.wide{display:none}
svg.plaudit.narrow{display:block;width:100%;max-width:400px;height:auto}}
@media(max-width:30rem){body{padding:1.25rem .5rem 3rem}header,.summary>h2{padding:0 .5rem}
.counts{gap:.5rem}.counts li{flex-basis:6.5rem;padding:.5rem .75rem}
.run>header,.run>figure,article{padding:1rem .875rem}
dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.5rem}}
pre.certificate{white-space:break-spaces;font-size:.875rem;overflow-wrap:anywhere;word-break:break-all}
@media print{body{max-width:none;padding:0}.run,article{break-inside:avoid-page}}
)";

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'\"><meta name=\"color-scheme\" content=\"light dark\">"
         "<title>" +
         escaped(title) + "</title><style>:root{" + light_colours() +
         "}@media(prefers-color-scheme:dark){:root{" + dark_colours() + "}}" + page_style +
         picture_style() + "</style></head>\n<body>" + body + "</body></html>\n";
}

}  // namespace plaudit::pictures

#include "testbench/output/html_page.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <sstream>
#include <string_view>

#include "testbench/output/metric_texts.h"

namespace heddle::output {
namespace {

// Eight colours that most readers with colour blindness can distinguish (M. Okabe and K. Ito, "Color
// Universal Design", 2008). They are lighter on a dark background.
constexpr const char* kColours =
    "--ink:#1b1f24;--soft:#5b6570;--ground:#fff;--panel:#f4f6f8;--rule:#d5dae0;--heat:230,120,0;"
    "--good:#00704f;--bad:#b02a1a;--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#a3528a;--s4:#b58900;--s5:#"
    "3fa1d6;--s6:#777;--s7:#222";

constexpr const char* kStyle = R"(
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#9aa5b1;--ground:#15181c;--panel:#1e2329;--rule:#363d46;--heat:240,150,40;
--good:#3fc79a;--bad:#ff8a75;--s0:#4aa8e0;--s1:#f08a4b;--s2:#35c79a;--s3:#d48fc0;--s4:#e0c04a;--s5:#8fd0f5;--s6:#a0a0a0;--s7:#f0f0f0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:76rem;overflow-wrap:anywhere;padding:1.5rem;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}h1{font-size:1.6rem;margin:0 0 .6rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem;
border-bottom:1px solid var(--rule)}h3{font-size:1.05rem;margin:1.4rem 0 .4rem}nav{margin:.8rem 0;color:var(--soft)}nav a{margin-right:1rem;display:inline-block;max-width:100%}
a{color:var(--s0)}pre,.code td,.code th{font:12.5px/1.45 ui-monospace,monospace}pre{background:var(--panel);padding:.8rem;overflow:auto}
.scroll{overflow:auto;max-height:36rem;border:1px solid var(--rule);margin:.6rem 0}table{border-collapse:collapse;width:100%}
th,td{overflow-wrap:normal}th{position:sticky;top:0;background:var(--panel);text-align:left;vertical-align:bottom;cursor:pointer;font-weight:600}
th,td{padding:.22rem .6rem;border-bottom:1px solid var(--rule)}td.w{min-width:14rem}td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.code td:not(.n){white-space:pre}th{padding-right:1.3em!important}th::after{content:"";position:absolute;right:.2em;bottom:.22rem;color:var(--soft)}
th:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible{outline:2px solid var(--s0);outline-offset:-2px}
th.up::after{content:"\2191"}th.down::after{content:"\2193"}.verdict{padding:.7rem 1rem;border-left:5px solid var(--soft);background:var(--panel);
margin:.8rem 0;white-space:pre-line}.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}
figure{margin:1rem 0}figcaption{color:var(--soft)}
input,select,button{font:inherit;padding:.15rem .5rem;background:var(--ground);color:var(--ink);border:1px solid var(--rule);border-radius:3px}
select{max-width:100%}input{min-width:min(18rem,100%)}input[data-filter]{margin:.4rem 0}
.chart .plot,.chart .unit,.chart .tools{background:var(--panel);padding:0 .4rem}.chart .plot svg{display:block;max-width:100%;height:auto}
.chart .unit{color:var(--soft);padding-top:.3rem;font-size:13px}.chart .right{text-align:right;padding:0 .8rem .3rem}
.tools{display:flex;flex-wrap:wrap;gap:.35rem;padding:.4rem!important;font-size:13px}.tools:empty{display:none}.tools button{cursor:pointer}
.tools input{min-width:10rem}.tools button svg,.key svg{vertical-align:-1px;margin:0 .35rem 0 0}.key span{margin-right:1rem}
button[aria-pressed=false]{color:var(--soft);text-decoration:line-through}button[aria-pressed=false] svg{opacity:.25}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}svg .rule{stroke:var(--rule);stroke-width:1;fill:none}
.lead{stroke:var(--soft);stroke-width:.6;fill:none}.zero{stroke:var(--soft);fill:none}.joined{stroke:var(--soft);fill:none;stroke-dasharray:4 3}
.level{stroke:var(--ink);fill:none;stroke-dasharray:6 4}.bar:hover{opacity:.75}.cross{stroke:var(--soft);fill:none;stroke-dasharray:3 3}.mark{stroke:var(--ink);stroke-width:2;fill:none}
.mark.point{fill:var(--panel)}.tip{position:fixed;pointer-events:none;white-space:pre-line;background:var(--ink);
color:var(--ground);padding:.25rem .5rem;border-radius:3px;font-size:13px;max-width:22rem;z-index:2}ul.files{columns:2 22rem;padding-left:1.2rem}
@media print{.tools,input,nav{display:none!important}.scroll{max-height:none;overflow:visible}figure,tr{break-inside:avoid}}
@media (min-width:40rem){td:first-child:not(.n){min-width:10rem}}
@media (max-width:40rem){td:not(.n){overflow-wrap:anywhere;min-width:6.5rem}th,td{padding:.22rem .4rem}}
summary{cursor:pointer;margin:.6rem 0}
)";

constexpr const char* kScript = R"(
for(const table of document.querySelectorAll('table')){
 const body=table.tBodies[0],heads=[...table.tHead.rows[0].cells];
 heads.forEach((head,column)=>{
 const cells=[...body.rows].map(row=>row.cells[column]).filter(Boolean),right=c=>c.style.textAlign='right';
 if(cells.some(c=>c.className==='n')){right(head);cells.filter(c=>c.textContent==='-').forEach(right)}
 head.tabIndex=0;head.setAttribute('aria-sort','none');
 head.addEventListener('keydown',e=>{if(e.key==='Enter'||e.key===' '){e.preventDefault();head.click()}});
 head.addEventListener('click',()=>{
  const down=!head.classList.contains('down');
  heads.forEach(h=>{h.classList.remove('up','down');h.setAttribute('aria-sort','none')});
  head.classList.add(down?'down':'up');head.setAttribute('aria-sort',down?'descending':'ascending');
  const numbers=[...body.rows].some(row=>row.cells[column].dataset.v!==undefined);
  const key=row=>{const c=row.cells[column];return c.dataset.v!==undefined?Number(c.dataset.v):numbers?-Infinity:c.textContent};
  const rows=[...body.rows].map((row,i)=>[key(row),i,row]);
  rows.sort((a,b)=>(a[0]<b[0]?-1:a[0]>b[0]?1:0)*(down?-1:1)||a[1]-b[1]);
  body.append(...rows.map(r=>r[2]));
 })});
}
for(const field of document.querySelectorAll('input[data-filter]'))
 field.addEventListener('input',()=>{const word=field.value.toLowerCase();
  for(const row of field.nextElementSibling.querySelectorAll('tbody tr'))row.hidden=!row.textContent.toLowerCase().includes(word)});
)";

// Returns a file name as a relative link. Characters that would end the link or look like a URL scheme are
// percent-encoded.
std::string address_of(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("-._~/+,=@").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Limits in bytes. A numeric cell longer than kLongestNumber contains words, so it is wrapped. A text cell
// longer than kLongText gets a wider column.
constexpr std::size_t kLongestNumber = 30, kLongText = 60;

std::string with_breaks(std::string html) {
  for (std::size_t at = 0; (at = html.find('+', at)) != std::string::npos; at += 6)
    html.insert(at + 1, "<wbr/>");
  return html;
}

std::string hover_attribute(const std::string& text) {
  return text.empty() ? "" : fmt::format(" title=\"{}\"", html_text(text));
}

std::string cell_text(const HtmlCell& cell) {
  std::string attributes = cell.number && cell.text.size() <= kLongestNumber ? " class=n"
                           : cell.text.size() > kLongText                    ? " class=w"
                                                                             : "";
  if (cell.number) attributes += fmt::format(" data-v=\"{}\"", std::isfinite(cell.sort) ? cell.sort : -1e300);
  if (cell.heat > 0)
    attributes += fmt::format(" style=\"background:rgba(var(--heat),{:.2f})\"", 0.6 * cell.heat);
  attributes += hover_attribute(cell.hover);
  const std::string mark =
      cell.colour.empty() ? ""
                          : fmt::format("<span style=\"color:var(--{})\">\xe2\x96\xa0</span> ", cell.colour);
  return fmt::format("<td{}>{}{}</td>", attributes, mark, with_breaks(html_text(cell.text)));
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::string chart_colours() { return kColours; }

HtmlCell HtmlCell::of(double value, int digits) {
  return {std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-", value, true, 0, {}, {}};
}

HtmlCell HtmlCell::named(const std::string& metric) {
  HtmlCell cell = of(metric);
  cell.hover = hover_text(metric);
  return cell;
}

HtmlCell HtmlCell::count(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, "\xe2\x80\x89");
  return {text, static_cast<double>(value), true, 0, {}, {}};
}

HtmlPage::HtmlPage(std::string title) : title_(std::move(title)) {}

void HtmlPage::heading(const std::string& text) {
  const std::string id = fmt::format("part{}", ++sections_);
  contents_ += fmt::format("<a href=\"#{}\">{}</a>", id, html_text(text));
  body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, html_text(text));
}

void HtmlPage::subheading(const std::string& text) { body_ += fmt::format("<h3>{}</h3>\n", html_text(text)); }
void HtmlPage::paragraph(const std::string& text) { body_ += fmt::format("<p>{}</p>\n", html_text(text)); }
void HtmlPage::lines(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) paragraph(line);
}

void HtmlPage::preformatted(const std::string& text) {
  body_ += fmt::format("<pre>{}</pre>\n", html_text(text));
}

void HtmlPage::verdict(Verdict verdict, const std::string& text) {
  static constexpr const char* kClasses[] = {" good", " bad", ""};
  body_ += fmt::format("<div class=\"verdict{}\">{}</div>\n", kClasses[static_cast<std::size_t>(verdict)],
                       html_text(text));
}

void HtmlPage::table(const HtmlTable& table) {
  if (!table.filter.empty())
    body_ += fmt::format("<input data-filter placeholder=\"{}\" aria-label=\"{}\">", html_text(table.filter),
                         html_text(table.filter));
  body_ += fmt::format("<div class=scroll><table{}><thead><tr>", table.code ? " class=code" : "");
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    body_ += fmt::format(
        "<th{}>{}</th>",
        hover_attribute(i < table.hovers.size() ? table.hovers[i] : hover_text(table.headings[i])),
        html_text(table.headings[i]));
  body_ += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (const HtmlCell& cell : row) body_ += cell_text(cell);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlPage::chart(const Chart& chart, const std::string& caption) {
  charts_ = true;
  body_ += "<figure class=chart><script type=\"application/json\">" + chart.json + "</script>" +
           (caption.empty() ? "" : "<figcaption>" + html_text(caption) + "</figcaption>") +
           "<noscript>The chart needs JavaScript; its numbers stand in the tables.</noscript></figure>\n";
}

void HtmlPage::links(const std::vector<std::pair<std::string, std::string>>& files) {
  body_ += "<ul class=files>\n";
  for (const auto& [name, what] : files)
    body_ += fmt::format("<li><a href=\"{}\">{}</a>: {}</li>\n", html_text(address_of(name)), html_text(name),
                         html_text(what));
  body_ += "</ul>\n";
}

void HtmlPage::begin_details(const std::string& summary) {
  body_ += fmt::format("<details><summary>{}</summary>\n", html_text(summary));
}
void HtmlPage::end_details() { body_ += "</details>\n"; }

std::string HtmlPage::contents() const {
  constexpr int kMostOpen = 10;
  const std::string nav = fmt::format("<nav>{}</nav>\n", contents_);
  return sections_ <= kMostOpen
             ? nav
             : fmt::format("<details><summary>Contents ({} parts)</summary>{}</details>\n", sections_, nav);
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\">\n"
      "<link rel=icon "
      "href=\"data:,\"><title>{}</title><style>:root{{color-scheme:light "
      "dark;{}}}{}</style></head>\n<body><h1>{}</h1>\n{}{}"
      "<script>{}</script>{}</body></html>\n",
      html_text(title_), kColours, kStyle, html_text(title_), contents(), body_, kScript,
      charts_ ? "<script>" + chart_script() + "</script>" : "");
}

}  // namespace heddle::output

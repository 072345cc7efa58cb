import type { Exploration } from "../exploration/exploration.ts";
import type { Finding } from "../exploration/finding.ts";
import { formatPlan } from "../exploration/plan-text.ts";
import { adviceOn } from "./advice.ts";
import { momentsOf } from "./timeline.ts";
import type { Moment } from "./timeline.ts";

/** The report of an exploration as a page of its own. */
export function htmlReport({ findings, coverage }: Exploration): string {
  const { runs, seconds, faults, notExplored } = coverage;
  const title = findings.length === 0 ? "Nothing was found" : `${findings.length} found`;
  const counts = Object.entries(faults).map(([type, { planned, explored }]) => `<li>${escaped(type)}: ${explored} of ${planned}</li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Exploration: ${title}</title>
<style>${style}</style></head>
<body><h1>${title}</h1>
${findings.map(findingHtml).join("\n")}
<section><h2>Explored</h2><p>${runs} runs in ${seconds.toFixed(1)} s</p><ul>${counts.join("")}</ul>
<h2>Not explored</h2><ul>${notExplored.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul></section>
</body></html>
`;
}

function findingHtml(finding: Finding): string {
  const { violation, plan, entries } = finding;
  const { why, fix } = adviceOn(finding);
  const steps = entries
    .filter((entry) => entry.type === "Op" || entry.type === "Fault")
    .map((entry) => `<li class="${entry.type === "Op" ? "user" : "fault"}">${escaped(entry.text)}</li>`);
  const details = (violation.details ?? []).map((detail) => `<li>${escaped(detail)}</li>`);
  return `<section class="finding"><h2><span>${escaped(violation.oracle)}</span> ${escaped(violation.message)}</h2>
<ul>${details.join("")}</ul>
<h3>Smallest scenario</h3><ol>${steps.join("")}</ol>
<h3>Likely fix</h3><p>${escaped(fix)}</p><p class="why">${escaped(why)}</p>
<h3>Timeline</h3>
<table><thead><tr><th>time</th><th>who</th><th>what</th><th>what it saw that was not so</th></tr></thead>
<tbody>${momentsOf(entries).map(momentHtml).join("\n")}</tbody></table>
<p>Replay: <code>KAJI_REPLAY=${formatPlan(plan)}</code></p></section>`;
}

function momentHtml({ atMs, who, what, stale }: Moment): string {
  const sort = who.startsWith("operator") ? "operator" : who.toLowerCase();
  const seen = stale.map((text) => `<div>${escaped(text)}</div>`).join("");
  return `<tr class="${sort}"><td>${(atMs / 1000).toFixed(3)} s</td><td>${escaped(who)}</td><td>${escaped(what)}</td><td>${seen}</td></tr>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h2 span { text-transform: uppercase; color: #c0392b; font-size: .8em; letter-spacing: .05em; }
.finding { border: 1px solid #8885; border-radius: 8px; padding: 0 1rem 1rem; margin: 1rem 0; }
.why { opacity: .75; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; }
td, th { padding: .2rem .6rem; vertical-align: top; border-bottom: 1px solid #8883; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.fault, li.fault { color: #c0392b; font-weight: 600; }
tr.user, li.user { color: #2471a3; }
td:last-child { color: #b9770e; }
code { overflow-wrap: anywhere; }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; padding: .4rem 0; } td { display: inline; border: 0; padding: 0 .4rem 0 0; } td:last-child { display: block; } }
`;

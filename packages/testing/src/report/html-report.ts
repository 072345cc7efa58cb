import type { Explored } from "../exploration/coverage.ts";
import type { Finding } from "../exploration/finding.ts";
import type { Operation } from "../simulation/operation.ts";
import { callerOf } from "../simulation/stories.ts";
import type { TraceEntry } from "../simulation/trace-entry.ts";
import { adviceOn, ruleOf } from "./advice.ts";
import { counted } from "./counted.ts";
import { culpritOf } from "./culprit.ts";
import { howFound } from "./how-found.ts";
import { folded } from "./repeats.ts";
import type { Line } from "./repeats.ts";
import { replayCommand } from "./replay-command.ts";
import { reportStyle } from "./report-style.ts";
import { furtherDetails } from "./text-report.ts";
import { again } from "./timeline.ts";
import { momentsOf } from "./moments.ts";

/** The report of an exploration as a page of its own. */
export function htmlReport({ findings, coverage, operations }: Explored): string {
  const { runs, seconds, faults, writes, events, notExplored, idleMasks } = coverage;
  const title = findings.length === 0 ? "Nothing was found" : `${counted(findings.length, "thing")} found in ${subjectsOf(findings)}`;
  const rows = Object.entries(faults).map(
    ([type, { planned, explored }]) => `<tr><th>${escaped(type)}</th><td>${explored} of ${planned}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Exploration: ${title}</title>
<style>${reportStyle}</style></head>
<body><header class="${findings.length === 0 ? "passed" : "failed"}"><h1>${title}</h1>
<p>The operator was run ${counted(runs, "time")} in ${seconds.toFixed(1)} s: once as it should go, and then each time with something going wrong. It makes
${counted(writes, "write")} and hears ${counted(events, "event")} in ${counted(operations.length, "operation")} of its users.</p>
${idleMasks.map((text) => `<p>${escaped(text)}.</p>`).join("")}
${findings.length > 1 ? `<ol class="contents">${findings.map(contentsHtml).join("")}</ol>` : ""}</header>
${findings.map((finding, index) => findingHtml(finding, index + 1, operations)).join("\n")}
<section class="coverage"><div><h2>Explored</h2><table class="counts">${rows.join("")}</table></div>
<div><h2>Not explored</h2><ul>${notExplored.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul></div></section>
</body></html>
`;
}

function findingHtml(finding: Finding, number: number, operations: readonly Operation[]): string {
  const { violation, plan, entries, isReproducible } = finding;
  const { why, fix } = adviceOn(finding);
  const steps = entries
    .filter((entry) => entry.type === "Op" || entry.type === "Fault")
    .map(
      (entry) =>
        `<li class="${entry.type === "Op" ? "user" : "fault"}"><b>${entry.type === "Op" ? "user" : "fault"}</b> ${escaped(entry.text)}</li>`,
    );
  const details = furtherDetails(violation);
  const [moments, culprit] = [momentsOf(entries), culpritOf(finding)];
  const caller = culprit === undefined ? undefined : callerOf(culprit);
  const lines = folded(
    moments,
    moments.find(({ entry }) => entry === culprit),
  );
  const isStale = moments.some(({ stale }) => stale.length > 0);
  return `<section class="finding" id="finding-${number}"><p class="oracle">${number} · ${escaped(violation.oracle)}</p><h2>${sentence(violation.message)}</h2>
<p class="rule">What must hold: ${escaped(ruleOf(violation.oracle))}.</p>
${details.length > 0 ? `<ul class="details">${details.map((detail) => `<li>${escaped(detail)}</li>`).join("")}</ul>` : ""}
<h3>How it happens</h3><ol class="steps">${steps.join("")}</ol>
<div class="advice"><div><h3>Likely fix</h3><p>${sentence(fix)}</p>${caller === undefined ? "" : `<p>Look at <code>${escaped(caller)}</code></p>`}</div><div><h3>Why it can happen</h3><p>${sentence(why)}</p></div></div>
<h3>What happened, and what the operator saw of it</h3><p class="aside">Time is virtual. The number after @ is the version of an object. ${isStale ? stalenessText : freshnessText}</p>
<table class="timeline"><thead><tr><th>time</th><th>who</th><th>what</th>${isStale ? '<th class="seen">what the operator saw</th><th class="truth">what was true</th>' : ""}</tr></thead>
<tbody>${lines.map((line) => lineHtml(line, { culprit, isStale })).join("\n")}</tbody></table>
<h3>Play it again</h3><p>This scenario alone, as often as you like:</p><pre>${escaped(replayCommand(plan, operations))}</pre>
<p class="aside">${howFound(finding)}
${isReproducible ? "It is the same each time it is run." : "It was not the same when it was run again."}</p></section>`;
}

const stalenessText = "Where it is said what the operator saw and what was true, the operator decided on what was no longer so.";
const freshnessText = "All that the operator saw was up to date.";

function lineHtml(line: Line, { culprit, isStale }: { readonly culprit: TraceEntry | undefined; readonly isStale: boolean }): string {
  if ("type" in line) return `<tr class="again"><td></td><td></td><td colspan="${isStale ? 3 : 1}">${escaped(again(line))}</td></tr>`;
  const { atMs, who, what, written, stale, entry } = line;
  const isCulprit = entry === culprit;
  const sort = who.startsWith("operator") ? "operator" : who.toLowerCase();
  const sights = [
    `<td class="seen">${stale.map(({ seen, truth }) => `<div>${escaped(seen)}<span class="though">, though ${escaped(truth)}</span></div>`).join("")}</td>`,
    `<td class="truth">${stale.map(({ truth }) => `<div>${escaped(truth)}</div>`).join("")}</td>`,
  ];
  const cells = [
    `<td class="time">${(atMs / 1000).toFixed(3)} s</td>`,
    `<td class="who">${escaped(who)}</td>`,
    `<td>${escaped(what)}${isCulprit ? " <mark>look here</mark>" : ""}${written === "" ? "" : ` <code class="written">${escaped(written)}</code>`}</td>`,
    ...(isStale ? sights : []),
  ];
  return `<tr class="${sort}${isCulprit ? " culprit" : ""}">${cells.join("")}</tr>`;
}

function contentsHtml({ violation }: Finding, index: number): string {
  return `<li><a href="#finding-${index + 1}">${sentence(violation.message)}</a></li>`;
}

/** The controllers that findings are about. */
function subjectsOf(findings: readonly Finding[]): string {
  const names = findings.flatMap(({ entries }) => entries.flatMap((entry) => (entry.type === "Reconcile" ? [entry.controller] : [])));
  return names.length === 0 ? "the operator" : [...new Set(names)].map(escaped).join(", ");
}

function sentence(text: string): string {
  return escaped(text.charAt(0).toUpperCase() + text.slice(1));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

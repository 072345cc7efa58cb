import type { Exploration } from "../exploration/exploration.ts";
import type { Finding } from "../exploration/finding.ts";
import type { Write } from "../simulation/trace.ts";
import { formatPlan } from "../exploration/plan-text.ts";
import { adviceOn, ruleOf } from "./advice.ts";
import { reportStyle } from "./report-style.ts";
import { momentsOf } from "./timeline.ts";
import type { Moment } from "./timeline.ts";

/** The report of an exploration as a page of its own. */
export function htmlReport({ findings, coverage, operations }: Exploration): string {
  const { runs, seconds, faults, writes, events, notExplored } = coverage;
  const title = findings.length === 0 ? "Nothing was found" : `${count(findings.length, "thing")} found`;
  const rows = Object.entries(faults).map(
    ([type, { planned, explored }]) => `<tr><th>${escaped(type)}</th><td>${explored} of ${planned}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Exploration: ${title}</title>
<style>${reportStyle}</style></head>
<body><header class="${findings.length === 0 ? "passed" : "failed"}"><h1>${title}</h1>
<p>The operator was run ${count(runs, "time")} in ${seconds.toFixed(1)} s: once as it should go, and then each time with something going wrong. It makes
${count(writes, "write")} and hears ${count(events, "event")} in ${count(operations.length, "operation")} of its users.</p></header>
${findings.map((finding, index) => findingHtml(finding, index + 1)).join("\n")}
<section class="coverage"><div><h2>Explored</h2><table class="counts">${rows.join("")}</table></div>
<div><h2>Not explored</h2><ul>${notExplored.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul></div></section>
</body></html>
`;
}

function findingHtml(finding: Finding, number: number): string {
  const { violation, plan, entries, foundIn, firstPlan, shrinkingRuns, repeats, isReproducible } = finding;
  const { why, fix } = adviceOn(finding);
  const steps = entries
    .filter((entry) => entry.type === "Op" || entry.type === "Fault")
    .map(
      (entry) =>
        `<li class="${entry.type === "Op" ? "user" : "fault"}"><b>${entry.type === "Op" ? "user" : "fault"}</b> ${escaped(entry.text)}</li>`,
    );
  const details = violation.details ?? [];
  const [moments, culprit] = [momentsOf(entries), culpritOf(finding)];
  return `<section class="finding"><p class="oracle">${number} · ${escaped(violation.oracle)}</p><h2>${sentence(violation.message)}</h2>
<p class="rule">What must hold: ${escaped(ruleOf(violation.oracle))}.</p>
${details.length > 1 ? `<ul class="details">${details.map((detail) => `<li>${escaped(detail)}</li>`).join("")}</ul>` : ""}
<h3>How it happens</h3><ol class="steps">${steps.join("")}</ol>
<div class="advice"><div><h3>Likely fix</h3><p>${sentence(fix)}</p></div><div><h3>Why it can happen</h3><p>${sentence(why)}</p></div></div>
<h3>What happened, and what the operator saw of it</h3><p class="aside">Time is virtual. The number after @ is the resourceVersion; where two stand side by side, the
operator decided on something that was no longer so.</p>
<div class="scroll"><table class="timeline"><thead><tr><th>time</th><th>who</th><th>what</th><th class="seen">what the operator saw</th><th class="truth">what was true</th></tr></thead>
<tbody>${moments.map((moment) => momentHtml(moment, moment.entry === culprit)).join("\n")}</tbody></table></div>
<h3>Again</h3><p>This scenario alone, as often as you like:</p><pre>KAJI_REPLAY=${formatPlan(plan)} node --test YOUR.test.ts</pre>
<p class="aside">Found in run ${foundIn}; shrunk from ${sizeOf(firstPlan)} to ${sizeOf(plan)} in ${count(shrinkingRuns, "run")}.
${repeats === 0 ? "" : `${count(repeats, "more plan")} came to the same.`}
${isReproducible ? "It is the same each time it is run." : "It was not the same when it was run again."}</p></section>`;
}

/** The last write to what the violation is about, once something had gone wrong, or the last reconcile that left it as it was: where to begin reading. */
function culpritOf({ violation, entries }: Finding): Moment["entry"] | undefined {
  const { oracle, subject } = violation;
  const fault = entries.findIndex(({ type }) => type === "Fault");
  const verbs: readonly string[] = oracle === "protected delete" ? ["delete"] : oracle === "over-create" ? ["create"] : [];
  const isIt = ({ verb, object, isEffective }: Write): boolean => {
    const isAbout = oracle === "over-create" ? object.startsWith(`${subject.split(" ")[0] ?? ""} `) : subject.startsWith(object);
    return isEffective && isAbout && (verbs.length === 0 || verbs.includes(verb));
  };
  const write = entries.findLast((entry, index) => index > fault && entry.type === "Write" && isIt(entry));
  return write ?? (oracle === "end state" ? entries.findLast((entry, index) => index > fault && entry.type === "Reconcile") : undefined);
}

function momentHtml({ atMs, who, what, stale }: Moment, isCulprit: boolean): string {
  const sort = who.startsWith("operator") ? "operator" : who.toLowerCase();
  const [seen, truth] = [
    stale.map(({ seen: text }) => `<div>${escaped(text)}</div>`),
    stale.map(({ truth: text }) => `<div>${escaped(text)}</div>`),
  ];
  const cells = [
    `<td class="time">${(atMs / 1000).toFixed(3)} s</td>`,
    `<td class="who">${escaped(who)}</td>`,
    `<td>${escaped(what)}${isCulprit ? " <mark>look here</mark>" : ""}</td>`,
    `<td class="seen">${seen.join("")}</td>`,
    `<td class="truth">${truth.join("")}</td>`,
  ];
  return `<tr class="${sort}${isCulprit ? " culprit" : ""}">${cells.join("")}</tr>`;
}

function sizeOf({ ops, faults }: Finding["plan"]): string {
  return `${count(ops.length, "operation")} and ${count(faults.length, "fault")}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function sentence(text: string): string {
  return escaped(text.charAt(0).toUpperCase() + text.slice(1));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

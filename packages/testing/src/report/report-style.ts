/** How the page of a report looks, on wide and on narrow screens, by day and by night. */
export const reportStyle: string = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --bad: light-dark(#b3261e, #f2877f); --user: light-dark(#1f5f99, #7db8ee); --stale: light-dark(#9a5b00, #e8b04a); --line: light-dark(#d8d8d8, #444);
  --card: light-dark(#fff, #1c1c1e); --page: light-dark(#f5f5f6, #111); }
body { max-width: 76rem; margin: 0 auto; padding: 1rem; background: var(--page); }
header { border-left: 6px solid var(--bad); padding-left: 1rem; margin-bottom: 1.5rem; }
header.passed { border-color: light-dark(#2e7d32, #81c784); }
h1 { margin: 0; font-size: 1.7rem; }
header p { margin: .3rem 0 0; max-width: 60rem; opacity: .8; }
h2 { font-size: 1.2rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: 1.4rem 0 .4rem; }
.finding, .coverage { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 1rem 0; }
.oracle { margin: 0 0 .2rem; color: var(--bad); font-weight: 700; text-transform: uppercase; letter-spacing: .06em; font-size: .8rem; }
.rule, .aside { opacity: .75; margin: .3rem 0; }
.details { margin: .4rem 0; padding-left: 1.2rem; }
.steps { padding-left: 1.6rem; margin: 0; }
.steps li { padding: .15rem 0; overflow-wrap: anywhere; }
.steps b { display: inline-block; min-width: 3.2rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .05em; }
.fault, .fault b { color: var(--bad); font-weight: 600; }
.user b, tr.user .who { color: var(--user); }
.advice { display: grid; grid-template-columns: 3fr 2fr; gap: 1.5rem; }
.advice > :first-child { border-left: 4px solid light-dark(#2e7d32, #81c784); padding-left: 1rem; }
.advice > div { margin-top: 1rem; }
.advice h3 { margin-top: 0; }
.advice p { margin: 0 0 .3rem; }
.advice code { overflow-wrap: anywhere; }
.contents { margin: .6rem 0 0; padding-left: 1.4rem; }
.contents a { color: inherit; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; }
td, th { padding: .25rem .6rem; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { font-size: .8rem; opacity: .7; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; opacity: .7; }
.who { white-space: nowrap; }
tr.fault td { background: color-mix(in srgb, var(--bad) 12%, transparent); }
tr.again td { font-style: italic; opacity: .75; }
tr.culprit td { background: color-mix(in srgb, var(--stale) 18%, transparent); }
.seen, .truth { font-size: .9rem; }
thead .seen { width: 24%; } thead .truth { width: 12%; }
.seen { color: var(--stale); }
.though { display: none; }
.written { font-size: .8rem; opacity: .75; overflow-wrap: anywhere; }
mark { background: var(--stale); color: var(--card); border-radius: 4px; padding: 0 .4rem; font-size: .8rem; white-space: nowrap; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.coverage { display: grid; grid-template-columns: 1fr 2fr; gap: 2rem; }
.counts { width: auto; }
@media (max-width: 46rem) {
  .advice, .coverage { grid-template-columns: 1fr; gap: .5rem; }
  .finding, .coverage { padding: .8rem; }
  .timeline thead { display: none; }
  .timeline tr { display: block; padding: .45rem .5rem; border-bottom: 1px solid var(--line); }
  .timeline tr.fault { background: color-mix(in srgb, var(--bad) 10%, transparent); }
  .timeline tr.culprit { background: color-mix(in srgb, var(--stale) 18%, transparent); }
  .timeline tr td { display: inline; border: 0; padding: 0 .4rem 0 0; background: none; }
  .timeline .seen:not(:empty) { display: block; padding-left: .8rem; }
  .timeline .seen div::before { content: "saw "; opacity: .7; }
  .timeline .though { display: inline; } .timeline .truth { display: none; }
}
`;

import type { TimedReport } from "@kaji/runtime/reports";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { isSet, numberOf, oneOf, optionalText, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { nameOf, storyOf, summaryOf } from "./explain-words.ts";
import { isOfOtherCluster, reportsOfDevelopment, reportsOfOperator } from "./find-reports.ts";
import { isNamed, operatorNames } from "./kubectl-names.ts";
import type { KubectlNames } from "./kubectl-names.ts";

/** `kaji explain`: why an object was reconciled, and what each reconcile read and wrote. */
export const explainCommand: Command = {
  help: `Usage: kaji explain [KIND/NAME] [options]

Says of the last reconciles of an object why they ran, what they read and wrote, and how they ended. With a kind alone, or without anything, it says of which objects there is something to say.
The kind may be left out, or written as for kubectl: with a short name, in the plural, with its group; and KIND NAME as two words.
It knows what the last kaji dev of the project has seen or, by --deployed, what the Pods of the operator on a cluster remember. They do if they run with --profiling-address localhost:6060,
and are asked through the API server: that takes the right to get and create pods/portforward.

Options:
  --namespace NAME   the namespace of the object, also -n (default: any)
  --last COUNT       how many reconciles (default 10)
  --deployed         ask the operator that runs on a cluster
  --operator-namespace NAMESPACE
                     where it runs there (default: where kaji deploy puts it)
  --kubeconfig FILE  the kubeconfig of the cluster (default: as kubectl)
  --context NAME     its context (default: the current one)
  --address URL      ask an operator that runs elsewhere, such as http://127.0.0.1:6060
  --project FOLDER   the operator's project (default: this folder)
  --data FOLDER      where kaji dev keeps what it has seen (default .kaji in the project)
  --output FORMAT    text, or json for one report on each line (default text)
  --verbose          show where an error comes from

Examples:
  kaji explain
  kaji explain websites
  kaji explain website/shop
  kaji explain website/shop --namespace default --last 3
  kaji explain website/shop --deployed --context production
`,
  positionals: ["object", "name"],
  options: {
    object: { type: "string" },
    name: { type: "string" },
    namespace: { type: "string", short: "n" },
    last: { type: "string" },
    deployed: { type: "boolean" },
    "operator-namespace": { type: "string" },
    kubeconfig: { type: "string" },
    context: { type: "string" },
    address: { type: "string" },
    project: { type: "string" },
    data: { type: "string" },
    output: { type: "string" },
  },
  run: explain,
};

async function explain(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const last = numberOf(values, "last", { fallback: 10, max: 1000 });
  const project = openProject(textOf(values, "project", "."));
  const { folder } = project;
  const all = await allReports(values, project, terminal);
  const name = optionalText(values, "name");
  const object = name === undefined ? optionalText(values, "object") : `${textOf(values, "object", "")}/${name}`;
  if (object === undefined && output === "text") return terminal.out(all.length === 0 ? "nothing was reconciled yet\n" : summaryOf(all));
  const { found, isKind } = await matching(all, { object, namespace: optionalText(values, "namespace"), project });
  if (isKind && output === "text") return terminal.out(summaryOf(found));
  const shown = found.slice(Math.max(0, found.length - last));
  if (output === "json") return terminal.out(shown.map((report) => `${JSON.stringify(report)}\n`).join(""));
  const names = new Set(shown.map(nameOf));
  for (const name of names) {
    terminal.out(`${name}\n`);
    for (const report of shown.filter((each) => nameOf(each) === name)) terminal.out(storyOf(report, { folder, screen: terminal.screen }));
  }
}

async function allReports(values: OptionValues, project: Project, terminal: Terminal): Promise<readonly TimedReport[]> {
  const address = optionalText(values, "address");
  if (isSet(values, "deployed") && address !== undefined) throw new UsageError("--deployed and --address exclude each other");
  if (address !== undefined) return reportsOfOperator(address);
  if (!isSet(values, "deployed")) {
    const useless = ["context", "kubeconfig", "operator-namespace"].find((name) => values[name] !== undefined);
    if (useless !== undefined) throw new UsageError(`--${useless} is for --deployed, which asks the operator on a cluster: add that`);
    const data = textOf(values, "data", `${project.folder}/.kaji`);
    const reports = reportsOfDevelopment(data);
    if (isOfOtherCluster(data, process.env["KUBECONFIG"]))
      terminal.err("this is what kaji dev has seen on its own cluster, and KUBECONFIG names another: --deployed asks the operator there\n");
    return reports;
  }
  const { reportsOfDeployed } = await import("./deployed-reports.ts");
  return reportsOfDeployed(values, project, terminal);
}

/** What reports are looked for. */
interface Wanted {
  /** As it was written, such as `website/shop`. */
  readonly object: string | undefined;
  readonly namespace: string | undefined;
  readonly project: Project;
}

/** What was found: of one object, or of all of a kind. */
interface Found {
  readonly found: readonly TimedReport[];
  readonly isKind: boolean;
}

/** The reports of `website/shop`, of `shop`, or of every `website`; the kind is written as for kubectl: with a short name, in the plural, with its group. */
async function matching(all: readonly TimedReport[], { object: wanted, namespace, project }: Wanted): Promise<Found> {
  if (wanted === undefined) return { found: all, isKind: false };
  const reports = all.filter(({ object }) => namespace === undefined || object.key.startsWith(`${namespace}/`));
  const [name = "", kind] = wanted.split("/").toReversed();
  const ofName = reports.filter(({ object }) => object.key.split("/").at(-1) === name);
  const named = kind === undefined ? ofName : await ofKind(ofName, kind, project);
  if (named.length > 0) return { found: named, isKind: false };
  const ofWholeKind = kind === undefined ? await ofKind(reports, wanted, project) : [];
  if (ofWholeKind.length > 0) return { found: ofWholeKind, isKind: true };
  const known = [...new Set(all.map(nameOf))];
  const others =
    known.length === 0
      ? "nothing was reconciled yet"
      : `there are some of ${known.slice(-5).join(", ")}${known.length > 5 ? " and others" : ""}`;
  const fields = kind === undefined && wanted.includes(".") ? `; the fields of a kind are told by kubectl explain ${wanted}` : "";
  throw new CommandError(`no reconcile of ${wanted}${namespace === undefined ? "" : ` in ${namespace}`} is known; ${others}${fields}`);
}

/** Those of a kind. What is loaded to know its other names is loaded only where it is not written as it is. */
async function ofKind(reports: readonly TimedReport[], kind: string, project: Project): Promise<readonly TimedReport[]> {
  const among = (known: readonly KubectlNames[]): readonly TimedReport[] => reports.filter(({ object }) => isNamed(kind, object, known));
  const found = among([]);
  return found.length > 0 || reports.length === 0 ? found : among(await namesIn(project));
}

/** What kinds are called by: the built-in ones, and those of the project, if it can be loaded. What went wrong may be that it cannot. */
async function namesIn(project: Project): Promise<readonly KubectlNames[]> {
  const { builtinNames } = await import("./builtin-names.ts");
  try {
    return [...builtinNames(), ...operatorNames(await loadOperator(project))];
  } catch (error) {
    if (error instanceof CommandError) return builtinNames();
    throw error;
  }
}

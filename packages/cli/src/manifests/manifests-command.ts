import type { KubeObject } from "@kaji/core";
import { helmChart, kustomizeTree, operatorManifests, plainManifest, withSamples } from "@kaji/manifests";
import type { ManifestFiles, ManifestOptions } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { counted } from "../counted.ts";
import { applyObjects, isServed } from "../deploy/apply-objects.ts";
import { ChangeReport } from "../deploy/change-report.ts";
import { isSet, oneOf, optionalText, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { bringFolder } from "./manifest-folder.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "./manifest-flags.ts";
import { sampleWarnings } from "./sample-warnings.ts";
import { staleDefinitions } from "./stale-definitions.ts";
import { requireSoundDefinitions } from "./sound-definitions.ts";
import { takenNames } from "./taken-names.ts";

/** `kaji manifests`: what puts the operator onto a cluster, as files. */
export const manifestsCommand: Command = {
  help: `Usage: kaji manifests [options]

Writes everything that puts the operator onto a cluster: CustomResourceDefinitions, RBAC, webhook configurations, Deployment and samples, all derived from src/operator.ts.
The same operator gives the same bytes. A definition that an API server would refuse is not written; a sample that the resource itself would refuse is written too, with a warning that says why.
Names that kubectl takes for a built-in kind are warned of.

Options:
  --format FORMAT        plain, kustomize or helm (default plain)
  --out FOLDER           write files there; without it a plain manifest goes to stdout
  --check                write nothing, and fail if the files in the folder differ
  --validate             have a cluster check all of it by a dry run, samples too, before anything is written
${manifestFlagsHelp}${clusterFlagsHelp}  --output FORMAT        text or json, of what is said about files (default text)
  --verbose              show where an error comes from

Examples:
  kaji manifests | kubectl apply --server-side -f -
  kaji manifests --format helm --out chart --image registry.example.com/bars:1.2.3
  kaji manifests --format kustomize --out config --check
  kaji manifests --out deploy --validate --context staging
`,
  options: {
    ...manifestFlags,
    ...clusterFlags,
    validate: { type: "boolean" },
    format: { type: "string" },
    out: { type: "string" },
    check: { type: "boolean" },
    output: { type: "string" },
  },
  run: manifests,
};

async function manifests(values: OptionValues, terminal: Terminal): Promise<void> {
  const format = oneOf(values, "format", ["plain", "kustomize", "helm"]);
  const folder = optionalText(values, "out");
  const output = oneOf(values, "output", ["text", "json"]);
  if (folder === undefined && (format !== "plain" || isSet(values, "check"))) {
    throw new UsageError(`${format === "plain" ? "--check" : `--format ${format}`} needs --out FOLDER`);
  }
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  if (isSet(values, "validate")) await validate(values, terminal, operator, options);
  await requireSoundDefinitions(operator);
  for (const line of takenNames(operator)) terminal.err(`warning: ${line}\n`);
  const parts = operatorManifests(operator, options);
  if (folder === undefined) return terminal.out(plainManifest(parts));
  if (format !== "helm") for (const line of await sampleWarnings(operator, parts)) terminal.err(`warning: ${line}\n`);
  const files = filesOf(format, operator, { ...options, version: project.version });
  const isCheck = isSet(values, "check");
  const stale = format === "helm" ? staleDefinitions(folder, files, operator.name) : [];
  for (const path of stale) terminal.err(`warning: ${path} is of an earlier chart, and Helm would install its definition too; remove it\n`);
  bringFolder(folder, files, { terminal, output, isCheck, source: "operator" });
  if (isCheck && stale.length > 0)
    throw new CommandError(`${folder} has ${counted(stale.length, "file")} too many; remove what is left over`);
}

/** Has a cluster check every object, and throws what it refuses one for. */
async function validate(values: OptionValues, terminal: Terminal, operator: OperatorDefinition, options: ManifestOptions): Promise<void> {
  const { samples, ...parts } = operatorManifests(operator, options);
  const quiet = new ChangeReport({ out: () => {}, err: (text) => terminal.err(text) }, "text");
  await withCluster(values, { terminal, dryRun: true }, async (session) => {
    const check = (objects: readonly KubeObject[]): Promise<void> =>
      applyObjects(session, objects, { operator: operator.name, report: quiet, dryRun: true });
    await check(Object.values(parts).flat());
    const served = await Promise.all(samples.map((sample) => isServed(session, sample)));
    await check(samples.filter((_, index) => served[index] === true));
    const unknown = served.filter((isThere) => !isThere).length;
    const rest = unknown === 0 ? "" : `, but for ${counted(unknown, "sample")}: kaji install puts what defines them there`;
    terminal.err(`${session.cluster} takes all of it${rest}\n`);
  });
}

function filesOf(
  format: "plain" | "kustomize" | "helm",
  operator: OperatorDefinition,
  options: ManifestOptions & Pick<Project, "version">,
): ManifestFiles {
  const parts = operatorManifests(operator, options);
  switch (format) {
    case "plain":
      return withSamples(new Map([["install.yaml", plainManifest(parts)]]), parts);
    case "kustomize":
      return kustomizeTree(parts);
    case "helm":
      return helmChart(operator, options);
  }
}

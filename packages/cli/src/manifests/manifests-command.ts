import { helmChart, kustomizeTree, operatorManifests, plainManifest, withSamples } from "@kaji/manifests";
import type { ManifestFiles } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { isSet, oneOf, optionalText, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { compareFolder, writeFolder } from "./manifest-folder.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "./manifest-flags.ts";

/** `kaji manifests`: what puts the operator onto a cluster, as files. */
export const manifestsCommand: Command = {
  help: `Usage: kaji manifests [options]

Writes everything that puts the operator onto a cluster: CustomResourceDefinitions, RBAC, webhook configurations, Deployment and samples, all derived from src/operator.ts.
The same operator gives the same bytes.

Options:
  --format FORMAT        plain, kustomize or helm (default plain)
  --out FOLDER           write files there; without it a plain manifest goes to stdout
  --check                write nothing, and fail if the files in the folder differ
${manifestFlagsHelp}  --output FORMAT        text or json, of what is said about files (default text)
  --verbose              show where an error comes from

Examples:
  kaji manifests | kubectl apply --server-side -f -
  kaji manifests --format helm --out chart --image registry.example.com/bars:1.2.3
  kaji manifests --format kustomize --out config --check
`,
  options: {
    ...manifestFlags,
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
  const options = manifestOptions(values);
  if (folder === undefined && (format !== "plain" || isSet(values, "check"))) {
    throw new UsageError(`${format === "plain" ? "--check" : `--format ${format}`} needs --out FOLDER`);
  }
  const project = openProject(textOf(values, "project", "."));
  const operator = await loadOperator(project);
  if (folder === undefined) return terminal.out(plainManifest(operatorManifests(operator, options)));
  const files = filesOf(format, operator, { ...options, version: project.version });
  const answer = isSet(values, "check") ? compareFolder(folder, files) : writeFolder(folder, files);
  if (output === "json") terminal.out(`${JSON.stringify(answer)}\n`);
  else
    terminal.out(
      answer.changed.map((path) => `${isSet(values, "check") ? "differs" : "wrote"} ${path}\n`).join("") || "nothing to change\n",
    );
  if (isSet(values, "check") && answer.changed.length > 0) {
    throw new CommandError(
      `${answer.changed.length} of ${files.size} files in ${folder} differ from the operator; run it without --check, and commit them`,
    );
  }
}

function filesOf(
  format: "plain" | "kustomize" | "helm",
  operator: OperatorDefinition,
  options: ReturnType<typeof manifestOptions> & Pick<Project, "version">,
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

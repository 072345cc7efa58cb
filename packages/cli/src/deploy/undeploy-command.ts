import { broughtResources, operatorManifests } from "@kaji/manifests";
import type { KubeObject } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { counted } from "../counted.ts";
import { manifestOptions } from "../manifests/manifest-flags.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { spanOf } from "../span-option.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { ChangeReport } from "./change-report.ts";
import { countObjects } from "./definitions.ts";
import { findLeftovers } from "./leftovers.ts";
import { confirmRemoval, findDoomed, removeObjects } from "./remove-objects.ts";

const flags = {
  ...clusterFlags,
  project: { type: "string" },
  yes: { type: "boolean" },
  "delete-objects": { type: "boolean" },
  timeout: { type: "string" },
  output: { type: "string" },
} as const;

const flagsHelp = `  --project FOLDER       the operator's project (default: this folder)
  --yes                  do not ask before removing
  --delete-objects       remove definitions that have objects too, and with them all their objects
${clusterFlagsHelp}  --timeout SPAN         how long to wait until each object is gone; 0s does not wait (default 3m)
  --output FORMAT        text or json (default text)
  --verbose              show where an error comes from
`;

/** `kaji uninstall`: the reverse of `kaji install`. */
export const uninstallCommand: Command = {
  help: `Usage: kaji uninstall [options]

Removes the CustomResourceDefinitions of the operator from a cluster, after a question. A definition of which there are objects is kept.

Options:
${flagsHelp}
Example:
  kaji uninstall --context staging
`,
  options: flags,
  run: (values, terminal) => undeploy(values, terminal, "Definitions"),
};

/** `kaji undeploy`: the reverse of `kaji deploy`. */
export const undeployCommand: Command = {
  help: `Usage: kaji undeploy [options]

Removes the operator from a cluster, after a question. A CustomResourceDefinition of which there are objects is kept, and so is whatever kaji has not put there.

Options:
  --namespace NAMESPACE  where the operator runs (default NAME-system)
${flagsHelp}
Examples:
  kaji undeploy
  kaji undeploy --delete-objects --yes
`,
  options: { ...flags, namespace: { type: "string" } },
  run: (values, terminal) => undeploy(values, terminal, "Everything"),
};

async function undeploy(values: OptionValues, terminal: Terminal, extent: "Definitions" | "Everything"): Promise<void> {
  const report = new ChangeReport(terminal, oneOf(values, "output", ["text", "json"]));
  const timeoutMs = spanOf(values, "timeout", "3m");
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  const { name } = operator;
  await withCluster(values, { terminal }, async (session) => {
    const { crds, namespace, rbac, network, manager, webhooks } = operatorManifests(operator, options);
    const removable = await removableDefinitions(session, operator, crds, { all: isSet(values, "delete-objects"), report });
    // The operator goes last, so that it can still clean up after the objects that go with their definitions.
    const rest = extent === "Everything" ? [...webhooks, ...manager, ...network, ...rbac.toReversed(), ...namespace] : [];
    const doomed = await findDoomed(session, [...removable, ...rest], { operator: name, report });
    const leftovers = extent === "Everything" ? await findLeftovers(session, name, rest) : [];
    const all = [
      ...doomed.filter(({ live }) => live.kind !== "Namespace"),
      ...leftovers,
      ...doomed.filter(({ live }) => live.kind === "Namespace"),
    ];
    if (!(await confirmRemoval(all, { terminal, cluster: session.cluster, yes: isSet(values, "yes") }))) {
      throw new CommandError("nothing was removed");
    }
    await removeObjects(session, all, { report, timeoutMs });
    report.end(
      all.length === 0
        ? `nothing of operator ${name} is on ${session.cluster}`
        : `removed ${counted(all.length, "object")} from ${session.cluster}`,
    );
  });
}

/** The definitions without objects; with `all`, those with objects too. */
async function removableDefinitions(
  session: ClusterSession,
  operator: OperatorDefinition,
  crds: readonly KubeObject[],
  { all, report }: { readonly all: boolean; readonly report: ChangeReport },
): Promise<readonly KubeObject[]> {
  if (all) return crds;
  const counts = new Map<string, number>();
  for (const resource of broughtResources(operator)) counts.set(resource.crd().metadata.name, await countObjects(session, resource));
  const countOf = ({ metadata }: KubeObject): number => counts.get(metadata.name) ?? 0;
  for (const crd of crds.filter((each) => countOf(each) > 0)) {
    report.add("kept", crd, `it has ${counted(countOf(crd), "object")}, which --delete-objects removes with it`);
  }
  return crds.filter((crd) => countOf(crd) === 0);
}

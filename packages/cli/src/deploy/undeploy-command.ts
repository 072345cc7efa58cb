import { operatorManifests } from "@kaji/manifests";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { counted } from "../counted.ts";
import { manifestOptions } from "../manifests/manifest-flags.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { spanOf } from "../span-option.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { ChangeReport } from "./change-report.ts";
import { findLeftovers } from "./leftovers.ts";
import { removableDefinitions } from "./removable-definitions.ts";
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

Removes the operator from a cluster, after a question. A CustomResourceDefinition of which there are objects is kept, and so is whatever kaji has not put there. Objects that only the
operator converts between versions could be read by nobody without it: then it removes nothing unless told what to do with them.

Options:
  --namespace NAMESPACE  where the operator runs, also -n (default NAME-system)
  --leave-objects        remove the operator even if it leaves objects that only it can convert
${flagsHelp}
Examples:
  kaji undeploy
  kaji undeploy --delete-objects --yes
`,
  options: { ...flags, namespace: { type: "string", short: "n" }, "leave-objects": { type: "boolean" } },
  run: (values, terminal) => undeploy(values, terminal, "Everything"),
};

async function undeploy(values: OptionValues, terminal: Terminal, extent: "Definitions" | "Everything"): Promise<void> {
  using report = new ChangeReport(terminal, oneOf(values, "output", ["text", "json"]));
  const timeoutMs = spanOf(values, "timeout", "3m");
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  const { name } = operator;
  await withCluster(values, { terminal }, async (session) => {
    const { crds, namespace, rbac, network, others, manager, webhooks } = operatorManifests(operator, options);
    const operatorGoes = extent === "Everything";
    const asked = { operatorGoes, deleteObjects: isSet(values, "delete-objects"), leaveObjects: isSet(values, "leave-objects") };
    const removable = await removableDefinitions(session, operator, { crds, extent: asked, report });
    // The operator goes last, so that it can still clean up after the objects that go with their definitions. What has its webhooks called goes before what leads to them.
    const rest = operatorGoes
      ? [...webhooks.toReversed(), ...others.toReversed(), ...manager, ...network, ...rbac.toReversed(), ...namespace]
      : [];
    const doomed = await findDoomed(session, [...removable, ...rest], { operator: name, report });
    const leftovers = operatorGoes ? await findLeftovers(session, name, rest) : [];
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

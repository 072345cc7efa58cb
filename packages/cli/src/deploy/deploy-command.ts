import { operatorManifests } from "@kaji/manifests";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "../manifests/manifest-flags.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { spanOf } from "../span-option.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { applyObjects } from "./apply-objects.ts";
import { ChangeReport } from "./change-report.ts";
import { lookAtDefinitions } from "./definitions.ts";
import { findLeftovers } from "./leftovers.ts";
import { confirmRemoval, removeObjects } from "./remove-objects.ts";
import { lookAtRollout } from "./rollout.ts";
import { waitUntil } from "./wait-until.ts";

const flags = {
  ...clusterFlags,
  "dry-run": { type: "boolean" },
  timeout: { type: "string" },
  output: { type: "string" },
} as const;

const flagsHelp = `${clusterFlagsHelp}  --dry-run              let the server check everything, and change nothing
  --timeout SPAN         how long to wait until it works; 0s does not wait (default 3m)
  --output FORMAT        text or json (default text)
  --verbose              show where an error comes from
`;

/** `kaji install`: the operator's CustomResourceDefinitions, so that its resources can be used. */
export const installCommand: Command = {
  help: `Usage: kaji install [options]

Puts the CustomResourceDefinitions of the operator onto a cluster, and waits until its API offers the resources.

Options:
  --project FOLDER       the operator's project (default: this folder)
${flagsHelp}
Example:
  kaji install --context staging
`,
  options: { ...flags, project: { type: "string" } },
  run: (values, terminal) => deploy(values, terminal, "Definitions"),
};

/** `kaji deploy`: all of the operator. */
export const deployCommand: Command = {
  help: `Usage: kaji deploy [options]

Puts all of the operator onto a cluster by server-side apply, and waits until it runs. Running it again changes what is different. What an earlier version
brought and this one does not is removed, after a question.

Options:
${manifestFlagsHelp}  --yes                  remove what is left over without asking
${flagsHelp}
Examples:
  kaji deploy --image registry.example.com/bars:1.2.3 --env REGISTRAR_URL=https://registrar.example.com
  kaji deploy --image registry.example.com/bars:1.2.3 --context production --replicas 2 --yes
`,
  options: { ...manifestFlags, ...flags, yes: { type: "boolean" } },
  run: (values, terminal) => deploy(values, terminal, "Everything"),
};

async function deploy(values: OptionValues, terminal: Terminal, extent: "Definitions" | "Everything"): Promise<void> {
  const report = new ChangeReport(terminal, oneOf(values, "output", ["text", "json"]));
  const timeoutMs = spanOf(values, "timeout", "3m");
  const [dryRun, yes] = [isSet(values, "dry-run"), isSet(values, "yes")];
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  const { crds, namespace, rbac, network, manager, webhooks } = operatorManifests(operator, options);
  const rest = extent === "Everything" ? [...namespace, ...rbac, ...network, ...manager, ...webhooks] : [];
  const { name } = operator;
  const waits = timeoutMs > 0 && !dryRun;
  await withCluster(values, { terminal, dryRun }, async (session) => {
    await applyObjects(session, crds, { operator: name, report, dryRun });
    if (waits) await waitUntil(session, { report, timeoutMs, look: () => lookAtDefinitions(session, crds) });
    await applyObjects(session, rest, { operator: name, report, dryRun });
    for (const deployment of rest.filter(({ kind }) => waits && kind === "Deployment")) {
      await waitUntil(session, { report, timeoutMs, look: () => lookAtRollout(session, deployment) });
    }
    if (extent === "Everything" && !dryRun) await removeLeftovers(session, { name, rest, report, terminal, yes, timeoutMs });
    const what = extent === "Everything" ? `operator ${name}` : `the definitions of ${name}`;
    report.end(
      dryRun ? `${session.cluster} would take ${what}` : `${what} ${extent === "Everything" ? "is" : "are"} on ${session.cluster}`,
    );
  });
}

async function removeLeftovers(
  session: ClusterSession,
  context: {
    readonly name: string;
    readonly rest: Parameters<typeof findLeftovers>[2];
    readonly report: ChangeReport;
    readonly terminal: Terminal;
    readonly yes: boolean;
    readonly timeoutMs: number;
  },
): Promise<void> {
  const { name, rest, report, terminal, yes, timeoutMs } = context;
  const leftovers = await findLeftovers(session, name, rest);
  if (leftovers.length === 0) return;
  const isRemoved =
    yes || (terminal.prompt !== undefined && (await confirmRemoval(leftovers, { terminal, cluster: session.cluster, yes })));
  if (isRemoved) return removeObjects(session, leftovers, { report, timeoutMs });
  for (const { live } of leftovers) report.add("kept", live, "left over from an earlier version; --yes removes it");
}

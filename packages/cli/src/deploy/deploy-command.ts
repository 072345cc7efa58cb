import type { KubeObject } from "@kaji/core";
import { operatorManifests } from "@kaji/manifests";
import type { OperatorManifests } from "@kaji/manifests";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "../manifests/manifest-flags.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { CancelledError } from "../prompt.ts";
import { spanOf } from "../span-option.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { applyObjects, readIfPresent, servedResource } from "./apply-objects.ts";
import { ChangeReport } from "./change-report.ts";
import { definitionTransition } from "./definition-transition.ts";
import { lookAtDefinitions, requireTakenDefinitions } from "./definitions.ts";
import { findLeftovers } from "./leftovers.ts";
import { warnOfMisfits } from "./misfits.ts";
import { takenNames } from "../manifests/taken-names.ts";
import { objectName } from "./object-name.ts";
import { confirmRemoval, removeObjects } from "./remove-objects.ts";
import { requireNamespaces } from "./required-namespaces.ts";
import { lookAtRollout } from "./rollout.ts";
import { waitUntil } from "./wait-until.ts";
import { endOtherDivision } from "./work-division.ts";

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
  using report = new ChangeReport(terminal, oneOf(values, "output", ["text", "json"]));
  const timeoutMs = spanOf(values, "timeout", "3m");
  const [dryRun, yes] = [isSet(values, "dry-run"), isSet(values, "yes")];
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  const manifests = operatorManifests(operator, options);
  const { name } = operator;
  const scope: DeployScope = { operator: name, report, timeoutMs, dryRun };
  await withCluster(values, { terminal, dryRun }, async (session) => {
    if (!dryRun) await requireTakenDefinitions(session, manifests.crds);
    for (const line of takenNames(operator)) report.progress(`warning: ${line}`);
    await warnOfMisfits(session, operator, report);
    if (extent === "Everything") {
      await requireNamespaces(session, objectsOf(manifests));
      const leftovers = await findLeftovers(session, name, objectsOf(manifests));
      // The new operator does not serve these: as long as they are there, nobody could write what they are about.
      await removeLeftovers(
        session,
        leftovers.filter(({ live }) => isConfiguration(live)),
        { ...scope, terminal, yes: true },
      );
      await deployAll(session, manifests, scope);
      await removeLeftovers(
        session,
        leftovers.filter(({ live }) => !isConfiguration(live)),
        { ...scope, terminal, yes },
      );
    } else {
      await installDefinitions(session, manifests, scope);
    }
    const what = extent === "Everything" ? `operator ${name}` : `the definitions of ${name}`;
    if (extent === "Definitions" && manifests.crds.length === 0)
      return report.end(`${name} has no resources of its own: there is nothing to install`);
    report.end(
      dryRun ? `${session.cluster} would take ${what}` : `${what} ${extent === "Everything" ? "is" : "are"} on ${session.cluster}`,
    );
  });
}

/** What all steps of a deployment need to know. */
interface DeployScope {
  readonly operator: string;
  readonly report: ChangeReport;
  readonly timeoutMs: number;
  readonly dryRun: boolean;
}

/** All that is not a definition, in the order in which it is applied. */
function objectsOf({ namespace, rbac, network, others, manager, webhooks }: OperatorManifests): readonly KubeObject[] {
  return [...namespace, ...rbac, ...network, ...others, ...manager, ...webhooks];
}

/** Applies the definitions alone. Where an operator is at work that does not know all of their versions, objects are stored as before until it is replaced. */
async function installDefinitions(session: ClusterSession, { crds, manager }: OperatorManifests, scope: DeployScope): Promise<void> {
  const { first, held } = scope.dryRun ? { first: crds, held: [] } : await definitionTransition(session, crds);
  const deployments = manager.filter(({ kind }) => kind === "Deployment");
  const isAtWork = held.length > 0 && (await absent(session, deployments)).length < deployments.length;
  await applyDefinitions(session, isAtWork ? first : crds, scope);
  if (!isAtWork) return;
  for (const definition of held)
    scope.report.add("kept", definition, "with the versions of both operators until kaji deploy has brought the new one");
}

/** Applies all of an operator in an order in which its objects can be read and written throughout. */
async function deployAll(session: ClusterSession, manifests: OperatorManifests, scope: DeployScope): Promise<void> {
  const { crds, manager } = manifests;
  const { report, timeoutMs, dryRun } = scope;
  const waits = timeoutMs > 0 && !dryRun;
  const { first, held } = dryRun ? { first: crds, held: [] } : await definitionTransition(session, crds);
  for (const definition of held) report.progress(`${objectName(definition)} has the versions of both operators until the new one runs`);
  await applyDefinitions(session, first, scope);
  // Replicas that do not know a version cannot be asked about objects of it, and those that do not serve a webhook yet about nothing.
  const configurations = objectsOf(manifests).filter(isConfiguration);
  await endOtherDivision(session, manager, scope);
  const later = waits ? (held.length > 0 ? configurations : await absent(session, configurations)) : [];
  await applyObjects(
    session,
    objectsOf(manifests).filter((object) => !later.includes(object)),
    scope,
  );
  for (const deployment of manager.filter(({ kind }) => waits && kind === "Deployment")) {
    await waitUntil(session, { report, timeoutMs, look: () => lookAtRollout(session, deployment) });
  }
  if (waits) {
    await applyObjects(session, later, scope);
    await applyDefinitions(session, held, scope);
  } else {
    for (const definition of held) report.add("kept", definition, "as it is until this is run again, when the new operator runs");
  }
}

/** Those that are not there yet. */
async function absent(session: ClusterSession, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const found = await Promise.all(objects.map(async (object) => readIfPresent(session, await servedResource(session, object), object)));
  return objects.filter((_, index) => found[index] === undefined);
}

async function applyDefinitions(
  session: ClusterSession,
  definitions: readonly CustomResourceDefinition[],
  scope: DeployScope,
): Promise<void> {
  const { report, timeoutMs, dryRun } = scope;
  await applyObjects(session, definitions, scope);
  if (timeoutMs === 0 || dryRun) return;
  await waitUntil(session, { report, timeoutMs, look: () => lookAtDefinitions(session, definitions) });
}

/** Whether it has the API server ask the operator, which has to be there for that. */
function isConfiguration({ kind }: KubeObject): boolean {
  return kind === "MutatingWebhookConfiguration" || kind === "ValidatingWebhookConfiguration" || kind === "APIService";
}

async function removeLeftovers(
  session: ClusterSession,
  leftovers: Awaited<ReturnType<typeof findLeftovers>>,
  { report, terminal, yes, timeoutMs, dryRun }: DeployScope & { readonly terminal: Terminal; readonly yes: boolean },
): Promise<void> {
  if (leftovers.length === 0) return;
  if (dryRun) return leftovers.forEach(({ live }) => report.add("removed", live, yes ? undefined : "after a question"));
  const isRemoved =
    yes || (terminal.prompt !== undefined && (await confirmRemoval(leftovers, { terminal, cluster: session.cluster, yes }).catch(asNo)));
  if (isRemoved) return removeObjects(session, leftovers, { report, timeoutMs });
  for (const { live } of leftovers) report.add("kept", live, "left over from an earlier version; --yes removes it");
}

/** Whoever does not answer does not want it. */
function asNo(error: unknown): boolean {
  if (error instanceof CancelledError) return false;
  throw error;
}

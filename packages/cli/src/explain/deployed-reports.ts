import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { portForward } from "@kaji/client/port-forward";
import { errorMessage, isReason } from "@kaji/core";
import type { NamespacedName } from "@kaji/core";
import { operatorManifests } from "@kaji/manifests";
import type { TimedReport } from "@kaji/runtime/reports";
import { Deployment } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { withCluster } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { OptionValues, Terminal } from "../command.ts";
import { optionalText } from "../option-values.ts";
import { manifestOptions } from "../manifests/manifest-flags.ts";
import { loadOperator } from "../project/load-operator.ts";
import type { Project } from "../project/project.ts";
import { parseReports } from "./find-reports.ts";

const path = "/debug/reconciles";

/** What the last reconciles of the project's operator did that runs on a cluster, the oldest first. */
export async function reportsOfDeployed(values: OptionValues, project: Project, terminal: Terminal): Promise<readonly TimedReport[]> {
  const namespace = optionalText(values, "operator-namespace");
  const options = await manifestOptions(namespace === undefined ? {} : { namespace }, project);
  const { manager } = operatorManifests(await loadOperator(project), options);
  const deployments = manager.filter(({ kind }) => kind === "Deployment");
  const reports: TimedReport[] = [];
  await withCluster(values, { terminal }, async (session) => {
    for (const { metadata } of deployments) reports.push(...(await rememberedReports(session, metadata, terminal)));
  });
  return reports;
}

/** What its Pods remember. Each knows its own: also those of one that led before are told. */
async function rememberedReports(session: ClusterSession, of: NamespacedName, terminal: Terminal): Promise<readonly TimedReport[]> {
  const pods = await runningPods(session, of);
  const asked = pods.filter((pod) => profilingPort(pod) !== undefined);
  if (asked.length === 0) {
    const remedy = `kubectl set env deployment/${of.name} -n ${of.namespace} KAJI_PROFILING_ADDRESS=localhost:6060`;
    throw new CommandError(`the Pods of Deployment ${of.namespace}/${of.name} remember nothing: ${remedy} has new ones do so`);
  }
  const answers = await Promise.allSettled(asked.map((pod) => reportsOf(session, pod, profilingPort(pod) ?? 0)));
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [errorMessage(answer.reason)] : []));
  if (failures.length === answers.length) throw new CommandError(failures.join("\n"));
  for (const failure of failures) terminal.err(`${failure}\n`);
  const reports = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return reports.toSorted((one, other) => one.at.localeCompare(other.at));
}

async function runningPods({ client, signal }: ClusterSession, of: NamespacedName): Promise<readonly Pod[]> {
  const name = `Deployment ${of.namespace}/${of.name}`;
  const deployment = await client.get(Deployment, of, { signal }).catch((error: unknown) => {
    throw isReason(error, "NotFound") ? new CommandError(`${name} is not there; kaji deploy puts it there`) : error;
  });
  const { items } = await client.list(Pod, { namespace: of.namespace, labelSelector: deployment.spec?.selector, signal });
  const running = items.filter(({ status }) => status?.phase === "Running");
  if (running.length === 0) throw new CommandError(`no Pod of ${name} runs; kaji doctor tells more`);
  return running;
}

/** The port of an operator's `--profiling-address`, as its Pod has it; undefined if it has none. */
function profilingPort({ spec }: Pod): number | undefined {
  const words = spec?.containers.flatMap(({ command = [], args = [] }) => [...command, ...args]) ?? [];
  const flag = /(?:^|\n)--profiling-address[=\n](.*)/.exec(words.join("\n"))?.[1];
  const variable = spec?.containers.flatMap(({ env = [] }) => env).find(({ name }) => name === "KAJI_PROFILING_ADDRESS")?.value;
  const port = Number(/\d+$/.exec(flag ?? variable ?? "")?.[0] ?? 0);
  return port === 0 ? undefined : port;
}

async function reportsOf({ client, signal }: ClusterSession, pod: Pod, port: number): Promise<readonly TimedReport[]> {
  await using forward = await portForward(client, pod.metadata, port, { signal });
  const connection = await forward.connect();
  const request = get({ path, headers: { host: "127.0.0.1", connection: "close" }, createConnection: () => connection });
  request.on("error", () => {}); // It is heard of where something is waited for.
  const [response]: IncomingMessage[] = await once(request, "response");
  const source = `${path} of Pod ${pod.metadata.namespace}/${pod.metadata.name}`;
  if (response?.statusCode !== 200) throw new CommandError(`${source} answers with ${response?.statusCode}: is it an operator of kaji?`);
  return parseReports(await text(response), source);
}

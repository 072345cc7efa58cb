import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import { webhookConfigurations } from "@kaji/runtime";
import { ApiError, createClient, resourcePath } from "kaji";
import type { KubeClient, Resource } from "kaji";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "kaji/admissionregistration/v1";
import { CustomResourceDefinition } from "kaji/apiextensions/v1";
import { Deployment, ReplicaSet } from "kaji/apps/v1";
import { Pod } from "kaji/core/v1";
import { Bar } from "./bar.ts";
import { operator } from "./operator.ts";

const folder = await mkdtemp(join(tmpdir(), "kaji-demo-"));
try {
  await using cluster = await startControlPlane({ folder, storage: "memory", nodes: 2 });
  const { url, kubeconfig } = cluster;
  await using client = await createClient({ kubeconfig, fieldManager: "demo" });
  say(`A whole cluster is up in this process, with two nodes, at ${url}`);

  await client.create(CustomResourceDefinition, Bar.crd());
  await client.create(Bar, { metadata: { name: "example", namespace: "default" }, spec: { deploymentName: "example", replicas: 2 } });
  const webhooksAt = `127.0.0.1:${await freePort()}`;
  await installWebhooks(client, `https://${webhooksAt}`);
  await using _operator = startOperator(kubeconfig, webhooksAt);
  say("An operator runs beside it: bar-controller.ts, 35 lines, with the webhooks of bar-webhook.ts");

  await available(client, 2);
  say("It has turned a Bar into a Deployment; the cluster's own controllers, scheduler and nodes did the rest");
  for (const resource of [Bar, Deployment, ReplicaSet, Pod]) await show(client, resource);

  await client.mergePatch(Bar, "default/example", { spec: { deploymentName: "renamed", replicas: 3 } });
  await available(client, 3);
  say("The Bar was renamed and scaled: the former Deployment is gone");
  for (const resource of [Bar, Deployment]) await show(client, resource);

  say("What is wrong is refused, by the definition in bar.ts and by the webhook in bar-webhook.ts");
  await client.mergePatch(Bar, "default/example", { spec: { deploymentName: "Not a name", replicas: -1 } }).catch(explain);
  await client.mergePatch(Bar, "default/example", { spec: { deploymentName: "kube-proxy" } }).catch(explain);

  if (process.stdin.isTTY) {
    say(`Now you. In another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get bars,deployments,pods
  kubectl patch bar example --type merge -p '{"spec":{"replicas":5}}'
  kubectl get pods --watch
  kubectl describe bar example
  kubectl delete bar example

Ctrl+C ends it.`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs the operator as it would run anywhere: a process of its own that is told of a cluster. */
function startOperator(kubeconfig: string, webhooksAt: string): AsyncDisposable {
  const addresses = ["--metrics-address=0", "--health-address=0", `--webhook-address=${webhooksAt}`, `--webhook-url=https://${webhooksAt}`];
  const flags = ["--kubeconfig", kubeconfig, ...addresses, "--log-level=warn"];
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, "main.ts"), ...flags], { stdio: "inherit" });
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Tells the cluster where the operator judges Bars. Certificates are the operator's own business. */
async function installWebhooks(client: KubeClient, url: string): Promise<void> {
  const { mutating, validating } = webhookConfigurations(operator.webhooks, { name: operator.name, target: { type: "Url", url } });
  if (mutating !== undefined) await client.create(MutatingWebhookConfiguration, mutating);
  if (validating !== undefined) await client.create(ValidatingWebhookConfiguration, validating);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new TypeError("no port was given");
  return address.port;
}

/** Waits until the Bar says that so many copies are available. */
async function available(client: KubeClient, replicas: number): Promise<void> {
  for await (const event of client.watch(Bar, { namespace: "default" }))
    if (event.type !== "BOOKMARK" && event.object.status?.availableReplicas === replicas && event.object.spec.replicas === replicas) return;
}

function say(text: string): void {
  process.stdout.write(`\n# ${text}\n`);
}

function explain(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  for (const { field, message } of error.status.details?.causes ?? []) process.stdout.write(`${field}: ${message}\n`);
}

/** Prints the objects of a kind as `kubectl get` does: the server makes the columns. */
async function show(client: KubeClient, resource: Resource): Promise<void> {
  const path = resourcePath(resource, { namespace: "default" });
  const table = await client.api.json({ method: "GET", path, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
  if (!isTable(table)) throw new TypeError(`${path} is not a table`);
  const columns = table.columnDefinitions.flatMap(({ name, priority }, index) => (priority === 0 ? [{ name, index }] : []));
  const rows = [
    columns.map(({ name }) => name.toUpperCase()),
    ...table.rows.map(({ cells }) => columns.map(({ index }) => String(cells[index] ?? ""))),
  ];
  const widths = columns.map((_column, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  process.stdout.write(
    `\n${rows
      .map((row) =>
        row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join("   ")
          .trimEnd(),
      )
      .join("\n")}\n`,
  );
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly (string | number | null)[] }[];
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "columnDefinitions" in value && "rows" in value;
}

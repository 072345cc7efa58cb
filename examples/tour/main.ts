import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import type { Transport } from "@kaji/core";
import { Backup } from "./backup.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const backups = "/apis/storage.example.com/v1/namespaces/default/backups";
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

const folder = await mkdtemp(join(tmpdir(), "kaji-tour-"));
try {
  await using plane = await startControlPlane({ folder, storage: "memory" });
  const send = plane.server.transport();
  say(`A Kubernetes API server is up in this process, at ${plane.url}`);

  await call(send, "POST", definitions, Backup.crd());
  say("It serves Backups: backup.ts is the only definition of them, static type and CustomResourceDefinition alike");

  await call(send, "POST", backups, { ...Backup.sample(), metadata: { name: "orders" } });
  say("It has filled in the defaults of this one", await call(send, "GET", backups, undefined, asTable));

  const hasty = { metadata: { name: "Nightly Backup" }, spec: { database: "orders", keep: 0, size: "much" } };
  say("It refuses this one, and the same definition says why without a server", Backup.validate(hasty));
  const { message } = await call(send, "POST", backups, { ...hasty, apiVersion: "storage.example.com/v1", kind: "Backup" });
  say(`The server says: ${String(message)}`);

  if (process.stdin.isTTY) {
    say(`Now you. In another terminal:

  export KUBECONFIG=${plane.kubeconfig}
  kubectl get backups
  kubectl explain backup.spec
  kubectl patch backup orders --type merge -p '{"spec":{"keep":30}}'
  kubectl get backups --watch

Ctrl+C ends it.`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function call(
  send: Transport,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  accept = "application/json",
): Promise<Record<string, unknown>> {
  const headers = { accept, "content-type": "application/json", "user-agent": "tour" };
  const response = await send({
    method,
    path,
    headers,
    body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString("utf8"));
}

function say(title: string, thing?: unknown): void {
  process.stdout.write(`\n# ${title}\n`);
  if (isTable(thing))
    for (const line of [thing.columnDefinitions.map(({ name }) => name), ...thing.rows.map(({ cells }) => cells)]) print(line);
  else if (Array.isArray(thing)) for (const { field, body } of thing) process.stdout.write(`${field}: ${body}\n`);
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "columnDefinitions" in value;
}

function print(cells: readonly unknown[]): void {
  process.stdout.write(
    `${cells
      .map((cell) => textOf(cell).padEnd(16))
      .join("")
      .trimEnd()}\n`,
  );
}

function textOf(cell: unknown): string {
  return typeof cell === "string" || typeof cell === "number" ? String(cell) : "";
}

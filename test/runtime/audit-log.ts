import { readFile, writeFile } from "node:fs/promises";
import type { Lease } from "@kaji/types/coordination/v1";

/** A request that the server answered. */
export interface AuditedRequest {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  /** Empty for requests about no object in particular. */
  readonly name: string;
  readonly code: number;
  readonly receivedMs: number;
  readonly answeredMs: number;
  /** The lease as it was stored, for requests about leases. */
  readonly lease: Lease | undefined;
}

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: Lease;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** Writes what a server is to record: all writes, and leases with their content. */
export async function writeAuditPolicy(path: string): Promise<void> {
  const writes = ["create", "update", "patch", "delete"];
  const rules = [
    { level: "RequestResponse", verbs: writes, resources: [{ group: "coordination.k8s.io", resources: ["leases"] }] },
    { level: "Metadata", verbs: writes, resources: [{ group: "", resources: ["secrets"] }] },
    { level: "None" },
  ];
  await writeFile(path, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"], rules }));
}

/** What a server has recorded so far, in the order of the answers. */
export async function readAuditLog(path: string): Promise<readonly AuditedRequest[]> {
  // What follows the last line break is still being written.
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as AuditEvent);
  return events.filter(({ stage }) => stage === "ResponseComplete").map(requestOf);
}

function requestOf({ verb, user, impersonatedUser, objectRef, responseStatus, responseObject, ...times }: AuditEvent): AuditedRequest {
  return {
    user: (impersonatedUser ?? user).username,
    verb,
    resource: objectRef?.resource ?? "",
    name: objectRef?.name ?? "",
    code: responseStatus?.code ?? 0,
    receivedMs: Date.parse(times.requestReceivedTimestamp),
    answeredMs: Date.parse(times.stageTimestamp),
    lease: responseObject?.kind === "Lease" ? responseObject : undefined,
  };
}

import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
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

/** What a server has recorded, in the order of the answers. */
export async function* readAuditLog(path: string): AsyncGenerator<AuditedRequest> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { stage, verb, user, impersonatedUser, objectRef, responseStatus, responseObject, ...times } = JSON.parse(line) as AuditEvent;
    if (stage !== "ResponseComplete") continue;
    yield {
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
}

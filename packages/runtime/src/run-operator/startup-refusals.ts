import { ApiError, isReason } from "@kaji/core";
import { StartupError } from "../manager/startup-error.ts";
import { shardLeaseVerbs } from "../sharding/shard-lease-store.ts";

/** Says what a server did not let webhooks do that make their own certificates, and what to do about it. */
export function refusedWebhooks(error: unknown): never {
  if (!isReason(error, "Forbidden", "Unauthorized")) throw error;
  const remedy = "install the manifests of the operator, whose roles allow it, or give them certificates with --webhook-certificates";
  throw new StartupError(`webhooks cannot have certificates of their own: ${error.status.message ?? error.message}; ${remedy}`, {
    cause: error,
  });
}

/** Says why replicas cannot agree on who works, and what to do about it. */
export function refusedLease(error: unknown, namespace: string, purpose: "leader election" | "sharding"): never {
  if (!(error instanceof ApiError)) throw error;
  const verbs = purpose === "sharding" ? shardLeaseVerbs : ["get", "watch", "create", "update"];
  const rule = `{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: [${verbs.map((verb) => `"${verb}"`).join(", ")}] }`;
  const remedy =
    error.reason === "NotFound"
      ? "create that namespace, or choose another with --leader-election-namespace"
      : `add to its Role in ${namespace}: ${rule}`;
  throw new StartupError(`${purpose} is not possible in namespace ${namespace}: ${error.status.message ?? error.message}; ${remedy}`, {
    cause: error,
  });
}

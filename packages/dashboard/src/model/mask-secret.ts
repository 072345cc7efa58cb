import type { DynamicObject } from "@kaji/core";

/** Keeps all of an applied object, values included. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** A Secret without what is secret: of each value no more than its size. Everything that comes from the cluster passes here before it is kept. */
export function maskSecret(secret: DynamicObject): DynamicObject {
  const { metadata, data, stringData } = secret;
  const { annotations } = metadata;
  return {
    ...secret,
    metadata: annotations?.[lastApplied] === undefined ? metadata : { ...metadata, annotations: { ...annotations, [lastApplied]: mask } },
    ...(data === undefined ? {} : { data: masked(data, "base64") }),
    ...(stringData === undefined ? {} : { stringData: masked(stringData, "utf8") }),
  };
}

const mask = "••••••";

function masked(values: unknown, encoding: "base64" | "utf8"): unknown {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return mask;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? `${mask} (${Buffer.byteLength(value, encoding)} bytes)` : mask,
    ]),
  );
}

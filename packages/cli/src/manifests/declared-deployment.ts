import { z } from "@kaji/core/define";
import { podSchema } from "@kaji/manifests";
import type { ManifestOptions, PodOptions } from "@kaji/manifests";
import type { OptionValues } from "../command.ts";
import { readDeclared } from "./read-declared.ts";

const quantities = z.record(z.string(), z.string()).exactOptional();

/** A Pod in the words of Kubernetes, by its own schema. */
const pod = z.lazy(() => {
  const { schema, definitions } = podSchema();
  return z.fromJSONSchema({ ...schema, definitions }, { defaultTarget: "draft-7" }).pipe(z.custom<PodOptions>());
});

/** What all deployments of an operator have in common: options by their names on the command line, and what has no option. */
const deployment = z.strictObject({
  namespace: z.string().exactOptional(),
  namespaces: z.array(z.string()).min(1).exactOptional(),
  replicas: z.int().exactOptional(),
  shards: z.int().exactOptional(),
  certificates: z.string().exactOptional(),
  "metrics-auth": z.boolean().exactOptional(),
  "service-monitor": z.boolean().exactOptional(),
  resources: z.strictObject({ limits: quantities, requests: quantities }).exactOptional(),
  pod: pod.exactOptional(),
  serviceAccount: z.strictObject({ annotations: z.record(z.string(), z.string()).exactOptional() }).exactOptional(),
});

/** What a package.json says about each deployment. */
export interface DeclaredDeployment {
  /** As if it had been given on the command line. */
  readonly values: OptionValues;
  /** What there is no option for. */
  readonly parts: Pick<ManifestOptions, "pod" | "resources" | "serviceAccount">;
}

/** Reads `kaji.deploy` of a package.json. */
export function readDeclaredDeployment(deploy: unknown): DeclaredDeployment {
  const { resources, pod: podOptions, serviceAccount, ...options } = readDeclared("deploy", deployment, deploy);
  const values = Object.entries(options).map(([name, value]) => [name, typeof value === "boolean" ? value : String(value)] as const);
  return { values: Object.fromEntries(values), parts: { resources, pod: podOptions, serviceAccount } };
}

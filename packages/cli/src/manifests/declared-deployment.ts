import { z } from "@kaji/core/define";
import type { ManifestOptions } from "@kaji/manifests";
import type { OptionValues } from "../command.ts";
import { readDeclared } from "./read-declared.ts";

const quantities = z.record(z.string(), z.string()).exactOptional();

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
});

/** What a package.json says about each deployment. */
export interface DeclaredDeployment {
  /** As if it had been given on the command line. */
  readonly values: OptionValues;
  readonly resources: ManifestOptions["resources"];
}

/** Reads `kaji.deploy` of a package.json. */
export function readDeclaredDeployment(deploy: unknown): DeclaredDeployment {
  const { resources, ...options } = readDeclared("deploy", deployment, deploy);
  const values = Object.entries(options).map(([name, value]) => [name, typeof value === "boolean" ? value : String(value)] as const);
  return { values: Object.fromEntries(values), resources };
}

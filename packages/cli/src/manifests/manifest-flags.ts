import { dns1123LabelErrors } from "@kaji/core";
import type { ManifestOptions } from "@kaji/manifests";
import { UsageError } from "../command.ts";
import type { OptionValues } from "../command.ts";
import { imageOf } from "../image-option.ts";
import type { Project } from "../project/project.ts";
import type { DeclaredDeployment } from "./declared-deployment.ts";
import { environmentOf } from "./environment.ts";
import { isSet, listOf, numberOf, oneOf, optionalText } from "../option-values.ts";

/** The options of commands that are about an operator's manifests. */
export const manifestFlags = {
  project: { type: "string" },
  image: { type: "string" },
  namespace: { type: "string", short: "n" },
  replicas: { type: "string" },
  shards: { type: "string" },
  env: { type: "string", multiple: true },
  namespaces: { type: "string" },
  certificates: { type: "string" },
  "metrics-auth": { type: "boolean" },
  "service-monitor": { type: "boolean" },
} as const;

/** What `--help` says of them. */
export const manifestFlagsHelp = `  --project FOLDER       the operator's project (default: this folder)
  --image IMAGE          the image that runs the operator (default NAME:latest)
  --namespace NAMESPACE  where the operator runs, also -n (default NAME-system)
  --replicas COUNT       how many copies run, of which one leads (default 1)
  --shards COUNT         let all copies work, each on its share of so many shards (default: one leads)
  --env NAME=VALUE       a variable of its environment, besides kaji.env in package.json; as often as needed
  --namespaces A,B       the namespaces it looks after, each with a Role of its own (default: all)
  --certificates WHO     built-in or cert-manager: who makes the certificates of webhooks (default built-in)
  --metrics-auth         show metrics only to accounts that may get /metrics
  --service-monitor      have Prometheus find the metrics by a ServiceMonitor
                         (kaji.deploy in package.json keeps what is the same each time, by these names,
                         and what else the Pods have)
`;

/** Reads them, and what the project declares: what is given on the command line wins. */
export async function manifestOptions(given: OptionValues, project: Project): Promise<ManifestOptions> {
  const declared = await declaredDeployment(project);
  const values = { ...declared?.values, ...given };
  const [image, namespace] = [await imageOf(values), optionalText(values, "namespace")];
  const watchNamespaces = listOf(values, "namespaces");
  for (const [flag, names] of [
    ["namespace", namespace === undefined ? [] : [namespace]],
    ["namespaces", watchNamespaces ?? []],
  ] as const) {
    const bad = names.find((name) => dns1123LabelErrors(name).length > 0);
    if (bad !== undefined) throw new UsageError(`--${flag}: '${bad}' is not the name of a namespace`);
  }
  return {
    image,
    namespace,
    replicas: numberOf(values, "replicas", { fallback: 1, max: 1000 }),
    shards: numberOf(values, "shards", { fallback: 0, max: 1000 }) || undefined,
    env: await environmentOf(values, project),
    ...declared?.parts,
    watchNamespaces,
    certificates: oneOf<"built-in" | "cert-manager">(values, "certificates", ["built-in", "cert-manager"]),
    metricsAuth: isSet(values, "metrics-auth"),
    serviceMonitor: isSet(values, "service-monitor"),
  };
}

async function declaredDeployment({ deploy }: Project): Promise<DeclaredDeployment | undefined> {
  if (deploy === undefined) return undefined;
  const { readDeclaredDeployment } = await import("./declared-deployment.ts");
  return readDeclaredDeployment(deploy);
}

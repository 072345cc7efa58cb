import { UsageError } from "../command.ts";
import type { Command, OptionValues } from "../command.ts";
import { isSet, numberOf, oneOf, optionalText, textOf } from "../option-values.ts";

/** `kaji dev`: an embedded cluster with the operator on it, reloaded on save. */
export const devCommand: Command = {
  help: `Usage: kaji dev [options]

Runs a Kubernetes control plane on this machine with the operator on it, for development, until it is stopped with Ctrl+C. The operator runs as its own service account with just the
permissions it declares, and is started anew whenever a source file is saved; definitions, roles and webhooks follow. Objects are kept between runs. The dashboard, whose address is printed,
shows what happens. Definitions of others that it needs, and objects of theirs, are files and folders in package.json: "kaji": { "dev": { "resources": ["crds"] } }.

Options:
  --project FOLDER   the operator's project (default: this folder)
  --fresh            forget all objects of earlier runs
  --data FOLDER      where keys, certificates and objects are kept (default .kaji in the project)
  --port PORT        the port of the API server; 0 is any that is free (default 0)
  --nodes NUMBER     how many nodes there are, on each of which 110 pods fit; 0 for none (default 1)
  --context NAME     develop on this cluster of your kubeconfig instead
  --kubeconfig FILE  the kubeconfig with that context (default: as kubectl)
  --webhook-host HOST[:PORT]
                     where the API server of that cluster reaches this machine: it calls the webhooks here until the end (default: it does not call them, nor have versions converted)
  --log LEVEL        how much the operator says: info, debug, warn or error (default info)
  --output FORMAT    text or json, of what is said on stdout (default text)
  --verbose          show where an error comes from

Examples:
  kaji dev
  kaji dev --fresh --log debug
  kaji dev --context kind-kind --webhook-host 172.18.0.1
`,
  options: {
    project: { type: "string" },
    fresh: { type: "boolean" },
    data: { type: "string" },
    port: { type: "string" },
    nodes: { type: "string" },
    context: { type: "string" },
    kubeconfig: { type: "string" },
    "webhook-host": { type: "string" },
    log: { type: "string" },
    output: { type: "string" },
  },
  async run(values, terminal) {
    refuseMisplaced(values);
    const { openProject } = await import("../project/project.ts");
    const { develop } = await import("./develop.ts");
    const project = openProject(textOf(values, "project", "."));
    await develop(
      {
        project,
        fresh: isSet(values, "fresh"),
        data: textOf(values, "data", `${project.folder}/.kaji`),
        port: numberOf(values, "port", { fallback: 0, max: 65_535 }),
        nodes: numberOf(values, "nodes", { fallback: 1, max: 200 }),
        context: optionalText(values, "context"),
        kubeconfig: optionalText(values, "kubeconfig"),
        webhookHost: optionalText(values, "webhook-host"),
        log: oneOf(values, "log", ["info", "debug", "warn", "error"]),
        output: oneOf(values, "output", ["text", "json"]),
      },
      terminal,
    );
  },
};

/** What is said of a cluster of our own is nothing for another, nor the other way round. */
function refuseMisplaced(values: OptionValues): void {
  const given = (names: readonly string[]): string | undefined => names.find((name) => values[name] !== undefined);
  if (values["context"] === undefined) {
    const remote = given(["kubeconfig", "webhook-host"]);
    if (remote !== undefined) throw new UsageError(`--${remote} is for the cluster of a --context, and not for one of our own`);
  } else {
    const own = given(["fresh", "nodes", "port"]);
    if (own !== undefined) throw new UsageError(`--${own} is for a cluster of our own, and not for that of a --context`);
  }
}

import type { Command } from "./command.ts";

/** A command before it is loaded. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command by its name; each loads only what it needs. */
export const commands: ReadonlyMap<string, CommandEntry> = new Map([
  entry("init", "make a project for a new operator", async () => (await import("./create/init-command.ts")).initCommand),
  entry("create api", "add a resource and its controller", async () => (await import("./create/create-api-command.ts")).createApiCommand),
  entry(
    "create webhook",
    "add defaults, validation or conversion of a kind",
    async () => (await import("./create/create-webhook-command.ts")).createWebhookCommand,
  ),
  entry(
    "dev",
    "run an embedded cluster with the operator on it, reloaded on save",
    async () => (await import("./dev/dev-command.ts")).devCommand,
  ),
  entry(
    "explain",
    "say why an object was reconciled, and what each reconcile read and wrote",
    async () => (await import("./explain/explain-command.ts")).explainCommand,
  ),
  entry("up", "run a Kubernetes control plane on this machine", async () => (await import("./up/up-command.ts")).upCommand),
  entry(
    "dashboard",
    "show a cluster on a web page: objects, owners, and each change as it happens",
    async () => (await import("./dashboard/dashboard-command.ts")).dashboardCommand,
  ),
  entry(
    "manifests",
    "write what puts the operator onto a cluster: plain, kustomize or Helm",
    async () => (await import("./manifests/manifests-command.ts")).manifestsCommand,
  ),
  entry(
    "install",
    "put the operator's resource definitions onto a cluster",
    async () => (await import("./deploy/deploy-command.ts")).installCommand,
  ),
  entry(
    "uninstall",
    "remove those of which there are no objects",
    async () => (await import("./deploy/undeploy-command.ts")).uninstallCommand,
  ),
  entry("deploy", "put the whole operator onto a cluster", async () => (await import("./deploy/deploy-command.ts")).deployCommand),
  entry("undeploy", "remove the operator from a cluster", async () => (await import("./deploy/undeploy-command.ts")).undeployCommand),
  entry(
    "migrate",
    "write stored objects anew, so that old versions of resources can go",
    async () => (await import("./migrate/migrate-command.ts")).migrateCommand,
  ),
  entry("build", "bundle the operator into one file, and an image", async () => (await import("./build/build-command.ts")).buildCommand),
  entry(
    "bundle",
    "write a bundle for the Operator Lifecycle Manager",
    async () => (await import("./bundle/bundle-command.ts")).bundleCommand,
  ),
  entry(
    "catalog",
    "add the bundle to a catalog, with channels and upgrades",
    async () => (await import("./bundle/catalog-command.ts")).catalogCommand,
  ),
  entry(
    "types",
    "write typed definitions of resources that others define",
    async () => (await import("./external-kinds/types-command.ts")).typesCommand,
  ),
  entry(
    "doctor",
    "ask a cluster whether the operator could run there, and whether it does",
    async () => (await import("./doctor/doctor-command.ts")).doctorCommand,
  ),
  entry(
    "assets",
    "write stand-ins for kube-apiserver and etcd, for test suites on envtest",
    async () => (await import("./assets/assets-command.ts")).assetsCommand,
  ),
  entry(
    "completion",
    "write a script that completes commands and options in a shell",
    async () => (await import("./completion/completion-command.ts")).completionCommand,
  ),
]);

function entry(name: string, summary: string, load: CommandEntry["load"]): readonly [string, CommandEntry] {
  return [name, { summary, load }];
}

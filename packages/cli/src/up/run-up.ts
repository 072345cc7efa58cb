import { flushCompileCache } from "node:module";
import { resolve } from "node:path";
import type { RequestRecord } from "@kaji/apiserver";
import { startControlPlane } from "@kaji/cluster/control-plane";
import type { ControlPlaneOptions } from "@kaji/cluster/control-plane";
import type { Terminal } from "../command.ts";
import { failureLog } from "./failure-log.ts";
import { loopFailures } from "./loop-failures.ts";
import { withRemedy } from "./start-failure.ts";
import { shellWord } from "../shell-word.ts";
import { stopSignals } from "../stop-signals.ts";
import type { UpOptions } from "./up-options.ts";

/** Opens a web page on the cluster of a kubeconfig. */
export type OpenDashboard = (kubeconfig: string) => Promise<AsyncDisposable & { readonly url: string }>;

/** Runs a control plane until this process is told to stop. */
export async function runUp(
  { output, logsRequests, audit, images, dashboard: hasDashboard, ...options }: UpOptions,
  terminal: Terminal,
  openDashboard: OpenDashboard,
): Promise<void> {
  await using files = new AsyncDisposableStack();
  const observers: Observer[] = [failureLog(terminal)];
  if (logsRequests) observers.push((await import("./request-log.ts")).requestLog(terminal));
  if (audit !== undefined) observers.push(files.use(await (await import("./audit-file.ts")).openAuditFile(audit, terminal)).observe);
  const storage = await storageOf(options.storage, terminal);
  using signals = stopSignals();
  const observe: Observer = (record) => observers.forEach((each) => each(record));
  const log = loopFailures(terminal);
  const controlPlane = await withRemedy(startControlPlane({ ...options, storage, ...(await programsOf(images)), observe, log }));
  growLittle();
  const dashboard = hasDashboard ? await openDashboard(controlPlane.kubeconfig) : undefined;
  const places = { url: controlPlane.url, kubeconfig: controlPlane.kubeconfig, dashboard: dashboard?.url };
  terminal.out(output === "json" ? jsonLine(places) : greeting(places, options));
  // It may run for days, and be killed: what Node has compiled is of use to the next one, and to other commands, from now on.
  flushCompileCache();
  await signals.first;
  await dashboard?.[Symbol.asyncDispose]();
  await controlPlane[Symbol.asyncDispose]();
}

/** Where a cluster is found. */
interface Places {
  readonly url: string;
  readonly kubeconfig: string;
  /** Undefined where it has none. */
  readonly dashboard: string | undefined;
}

/** What runs in pods: the programs, and whatever their probes and hooks say. */
async function programsOf(images: UpOptions["images"]): Promise<Pick<ControlPlaneOptions, "programs" | "commands">> {
  if (images.size === 0) return {};
  const { imagePrograms } = await import("@kaji/cluster");
  return { programs: imagePrograms(Object.fromEntries(images)), commands: (_container, words) => words };
}

async function storageOf(storage: UpOptions["storage"], terminal: Terminal): Promise<NonNullable<ControlPlaneOptions["storage"]>> {
  if (typeof storage === "string") return storage;
  const { servers, prefix } = storage;
  const { readEtcdTls } = await import("./etcd-files.ts");
  const onLost = (reason: string): void => terminal.err(`kaji: ${reason}; it takes no writes any more, and has to be started anew\n`);
  return { servers, prefix, tls: readEtcdTls(storage), onLost };
}

type Observer = (record: RequestRecord) => void;

/**
 * Has garbage collected before there is more of it than of what is alive, and not several times as much: a control plane for development is not
 * alone on its machine. V8 looks at this whenever it has collected.
 */
function growLittle(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString("--heap-growing-percent=100");
}

function jsonLine({ kubeconfig, ...urls }: Places): string {
  return `${JSON.stringify({ ...urls, kubeconfig: resolve(kubeconfig), pid: process.pid })}\n`;
}

function greeting({ url, kubeconfig, dashboard }: Places, { storage, folder }: Pick<UpOptions, "storage" | "folder">): string {
  const page = dashboard === undefined ? "" : `\nIn a browser:\n  ${dashboard}\n`;
  return `Kubernetes is up at ${url}; objects are kept ${placeOf(storage, folder)}.
${page}
In another terminal:
  export KUBECONFIG=${shellWord(resolve(kubeconfig))}
  kubectl get namespaces

Ctrl+C stops it.
`;
}

function placeOf(storage: UpOptions["storage"], folder: string): string {
  if (storage === "sqlite") return `in ${folder}`;
  if (storage === "memory") return "in memory and lost when it stops";
  return `under ${storage.prefix} in the etcd at ${storage.servers.join(", ")}`;
}

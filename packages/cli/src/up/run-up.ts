import { resolve } from "node:path";
import type { RequestRecord } from "@kaji/apiserver";
import { startControlPlane } from "@kaji/cluster/control-plane";
import type { ControlPlaneOptions } from "@kaji/cluster/control-plane";
import type { Terminal } from "../command.ts";
import { failureLog } from "./failure-log.ts";
import { withRemedy } from "./start-failure.ts";
import { stopSignals } from "../stop-signals.ts";
import type { UpOptions } from "./up-options.ts";

/** Runs a control plane until this process is told to stop. */
export async function runUp({ output, logsRequests, audit, images, ...options }: UpOptions, terminal: Terminal): Promise<void> {
  await using files = new AsyncDisposableStack();
  const observers: Observer[] = [failureLog(terminal)];
  if (logsRequests) observers.push((await import("./request-log.ts")).requestLog(terminal));
  if (audit !== undefined) observers.push(files.use(await (await import("./audit-file.ts")).openAuditFile(audit, terminal)).observe);
  using signals = stopSignals();
  const observe: Observer = (record) => observers.forEach((each) => each(record));
  const controlPlane = await withRemedy(startControlPlane({ ...options, ...(await programsOf(images)), observe }));
  growLittle();
  const { url, kubeconfig } = controlPlane;
  terminal.out(output === "json" ? jsonLine(url, kubeconfig) : greeting(url, kubeconfig, options));
  await signals.first;
  await controlPlane[Symbol.asyncDispose]();
}

async function programsOf(images: UpOptions["images"]): Promise<Pick<ControlPlaneOptions, "programs">> {
  if (images.size === 0) return {};
  const { imagePrograms } = await import("@kaji/cluster");
  return { programs: imagePrograms(Object.fromEntries(images)) };
}

type Observer = (record: RequestRecord) => void;

/**
 * Has garbage collected before there is more of it than of what is alive, and not several times as much: a control plane for development is not
 * alone on its machine. V8 looks at this whenever it has collected.
 */
function growLittle(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString("--heap-growing-percent=100");
}

function jsonLine(url: string, kubeconfig: string): string {
  return `${JSON.stringify({ url, kubeconfig: resolve(kubeconfig), pid: process.pid })}\n`;
}

function greeting(url: string, kubeconfig: string, { storage, folder }: Pick<UpOptions, "storage" | "folder">): string {
  const where = storage === "sqlite" ? `objects are kept in ${folder}` : "objects are kept in memory and lost when it stops";
  return `Kubernetes is up at ${url}; ${where}.

In another terminal:
  export KUBECONFIG=${resolve(kubeconfig)}
  kubectl get namespaces

Ctrl+C stops it.
`;
}

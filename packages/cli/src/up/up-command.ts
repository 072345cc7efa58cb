import { resolve } from "node:path";
import type { RequestRecord } from "@kaji/apiserver";
import type { Command, Terminal } from "../command.ts";
import { stopSignals } from "../stop-signals.ts";
import { upOptions } from "./up-options.ts";
import type { UpOptions } from "./up-options.ts";

/** `kaji up`: a control plane in the foreground, until it is told to stop. */
export const upCommand: Command = {
  help: `Usage: kaji up [options]

Runs a Kubernetes control plane on this machine, for development and tests, until it is stopped with Ctrl+C.

Options:
  --data FOLDER        where keys, certificates and objects are kept (default .kaji)
  --storage KIND       sqlite, which keeps objects in the data folder, or memory, which forgets them (default sqlite)
  --host ADDRESS       the address to listen on (default 127.0.0.1)
  --port PORT          the port to listen on; 0 is any that is free (default 6443)
  --kubeconfig FILE    where to write the kubeconfig of the admin (default kubeconfig in the data folder)
  --log requests       write a line for every request to stderr
  --audit FILE         append an audit event for every request to a file: who asked for what, and which role allowed it
  --output FORMAT      text or json, of what is said on stdout (default text)
  --verbose            show where an error comes from

Example:
  kaji up --storage memory --port 0
`,
  options: {
    data: { type: "string" },
    storage: { type: "string" },
    host: { type: "string" },
    port: { type: "string" },
    kubeconfig: { type: "string" },
    log: { type: "string" },
    audit: { type: "string" },
    output: { type: "string" },
  },
  run: (values, terminal) => up(upOptions(values), terminal),
};

async function up({ output, logsRequests, audit, ...options }: UpOptions, terminal: Terminal): Promise<void> {
  const { startControlPlane } = await import("@kaji/cluster");
  await using files = new AsyncDisposableStack();
  const observers: Observer[] = [];
  if (logsRequests) observers.push((await import("./request-log.ts")).requestLog(terminal));
  if (audit !== undefined) observers.push(files.use(await (await import("./audit-file.ts")).openAuditFile(audit, terminal)).observe);
  using signals = stopSignals();
  const controlPlane = await startControlPlane({ ...options, observe: (record) => observers.forEach((observe) => observe(record)) });
  const { url, kubeconfig } = controlPlane;
  terminal.out(output === "json" ? jsonLine(url, kubeconfig) : greeting(url, kubeconfig, options));
  await signals.first;
  await controlPlane[Symbol.asyncDispose]();
}

type Observer = (record: RequestRecord) => void;

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

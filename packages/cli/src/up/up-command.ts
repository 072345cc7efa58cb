import { resolve } from "node:path";
import type { Command, Terminal } from "../command.ts";
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
    output: { type: "string" },
  },
  run: (values, terminal) => up(upOptions(values), terminal),
};

async function up({ output, logsRequests, ...options }: UpOptions, terminal: Terminal): Promise<void> {
  const { startControlPlane } = await import("@kaji/cluster");
  const { requestLog } = await import("./request-log.ts");
  const observe = logsRequests ? { observe: requestLog(terminal) } : {};
  using signals = stopSignals();
  const controlPlane = await startControlPlane({ ...options, ...observe });
  const { url, kubeconfig } = controlPlane;
  terminal.out(output === "json" ? jsonLine(url, kubeconfig) : greeting(url, kubeconfig, options));
  await signals.first;
  await controlPlane[Symbol.asyncDispose]();
}

/** Listens for requests to stop: the first one is waited for, the second one does not wait for anything. */
function stopSignals(): Disposable & { readonly first: Promise<void> } {
  const { promise: first, resolve: stop } = Promise.withResolvers<void>();
  let isAsked = false;
  const onSignal = (_name: NodeJS.Signals, number: number): void => {
    if (isAsked) process.exit(128 + number);
    isAsked = true;
    stop();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return { first, [Symbol.dispose]: () => process.off("SIGINT", onSignal).off("SIGTERM", onSignal) };
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

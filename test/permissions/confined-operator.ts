import { createClient, httpTransport, loadConfig } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { runOperator } from "@kaji/runtime";
import type { RunOptions } from "@kaji/runtime";

/** An operator that runs as its service account, on a server whose RBAC decides what it may do. */
export interface ConfinedOperator extends AsyncDisposable {
  /** Resolves with the first request that the server forbids, such as `PATCH /apis/apps/v1/…`. */
  readonly refused: Promise<string>;
  readonly refusals: readonly string[];
  /** What it says when it cannot go on. */
  readonly log: () => string;
}

/** Where a confined operator runs. */
export interface Confinement {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly webhookPort: number;
  /** What the operator hears of requests whose path this is about comes late: only once it resolves. */
  readonly holdBack: (path: string) => Promise<void> | undefined;
}

/** Starts an operator as `kaji deploy` would have it run: elected, with webhooks, and with the token of its service account. */
export async function startConfined(options: RunOptions, confinement: Confinement): Promise<ConfinedOperator> {
  const { kubeconfig, namespace, webhookPort, holdBack } = confinement;
  const { connection } = await loadConfig({ kubeconfig });
  await using admin: KubeClient = await createClient({ connection });
  const { status } = await admin.createToken({ namespace, name: options.name }, { audiences: [], expirationSeconds: 3600 });
  const refusals: string[] = [];
  const first = Promise.withResolvers<string>();
  let log = "";
  let stop = (): void => {};
  const webhook = `127.0.0.1:${webhookPort}`;
  const ended = runOperator(options, {
    program: options.name,
    argv: [
      ...["--leader-elect", "--metrics-address", "0", "--health-address", "0", "--log-format", "json"],
      ...["--webhook-address", webhook, "--webhook-url", `https://${webhook}`],
    ],
    env: { POD_NAMESPACE: namespace },
    stdout: { write: () => true },
    stderr: { write: (text: string) => ((log += text), true) },
    hostname: "test",
    clock: systemClock,
    random: systemRandom,
    async connect() {
      const transport = httpTransport({ ...connection, user: { token: status?.token ?? "" } }, { clock: systemClock });
      return {
        transport: noticing(transport, holdBack, (request) => (refusals.push(request), first.resolve(request))),
        server: connection.server,
        namespace,
      };
    },
    onSignal(listener) {
      stop = listener;
      return { [Symbol.dispose]: () => {} };
    },
    onDebugSignal: () => ({ [Symbol.dispose]: () => {} }),
    exit: () => {},
  });
  return {
    refused: first.promise,
    refusals,
    log: () => log,
    async [Symbol.asyncDispose]() {
      stop();
      await ended;
    },
  };
}

/**
 * The transport, with a word about each request that is forbidden, and slow where something is to be held back. A lease is given out once the server has said whether the operator may watch
 * it: whoever leads needs to know no longer.
 */
function noticing(
  transport: Transport & AsyncDisposable,
  holdBack: Confinement["holdBack"],
  onRefused: (request: string) => void,
): Transport & AsyncDisposable {
  const watchOfLeases = Promise.withResolvers<void>();
  const noticed: Transport = async (request) => {
    const { method, path } = request;
    const response = await transport(request);
    const isWatch = path.includes("watch=");
    if (response.status === 403) onRefused(`${method} ${path}`);
    if (isWatch && path.includes("/leases?")) watchOfLeases.resolve();
    if (method === "POST" && path.endsWith("/leases")) await watchOfLeases.promise;
    return isWatch ? { ...response, body: late(response.body, () => holdBack(path)) } : response;
  };
  return Object.assign(noticed, { [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose]() });
}

async function* late(body: AsyncIterable<Uint8Array>, holdBack: () => Promise<void> | undefined): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    await holdBack();
    yield piece;
  }
}

import { join } from "node:path";
import { systemClock, systemRandom } from "@kaji/core";
import { etcdFlags } from "./control-plane-flags.ts";
import { freePorts } from "./free-ports.ts";
import { providePrograms } from "./provide-programs.ts";
import { ServerGroup } from "./server-group.ts";
import type { KubeOptions } from "./start-kube.ts";

/** A running etcd. It is gone, with all its data, once it is disposed of or our process ends, however that happens. */
export interface Etcd extends AsyncDisposable {
  /** For example `http://127.0.0.1:12345`. */
  readonly url: string;
  readonly pid: number;
  /** Kills it and starts it again at the same address with the same data. Resolves when it is ready, after what is to be done in between. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

/** How an etcd is started. */
export interface EtcdOptions extends Pick<KubeOptions, "clock" | "random" | "timeoutMs" | "durable" | "env" | "output"> {
  /** Default it serves without. */
  readonly tls?: EtcdCertificates;
}

/** Files of certificates and keys. */
export interface EtcdCertificates {
  readonly cert: string;
  readonly key: string;
  /** Who signs the certificates of clients, which all need one. */
  readonly clientCa: string;
  /** With which etcd is a client of itself: its gateway is one. */
  readonly clientCert: string;
  readonly clientKey: string;
}

/** Starts an etcd alone on a free loopback port and waits until it is ready. Builds it first where need be. */
export async function startEtcd(options: EtcdOptions = {}): Promise<Etcd> {
  const { clock = systemClock, random = systemRandom, timeoutMs = 180_000, durable = false, tls } = options;
  const program = join(await providePrograms(["etcd"], options), "etcd");
  await using failed = new AsyncDisposableStack();
  const group = failed.use(await ServerGroup.create({ clock, timeoutMs }));
  const [port, metricsPort] = await freePorts(2, random);
  const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  // Its health is asked for without a certificate.
  const metrics = `http://127.0.0.1:${metricsPort}`;
  const flags = [...etcdFlags(join(group.folder, "etcd"), url, durable), `--listen-metrics-urls=${metrics}`, ...tlsFlags(tls)];
  let server = group.start(program, flags);
  const ready = (): Promise<void> => group.untilReady(server, () => whyNotHealthy(metrics));
  await ready();
  failed.move();
  return {
    url,
    get pid() {
      return server.pid ?? 0;
    },
    async restart(meanwhile) {
      await server[Symbol.asyncDispose]();
      await meanwhile?.();
      server = await group.restart(server);
      await ready();
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

function tlsFlags(tls: EtcdCertificates | undefined): string[] {
  if (tls === undefined) return [];
  return [
    `--cert-file=${tls.cert}`,
    `--key-file=${tls.key}`,
    `--trusted-ca-file=${tls.clientCa}`,
    `--client-cert-file=${tls.clientCert}`,
    `--client-key-file=${tls.clientKey}`,
    "--client-cert-auth",
  ];
}

async function whyNotHealthy(metrics: string): Promise<string | undefined> {
  const response = await fetch(`${metrics}/health`);
  const text = await response.text();
  return response.ok ? undefined : text;
}

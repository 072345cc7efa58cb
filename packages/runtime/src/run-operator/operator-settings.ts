import { durationMs } from "@kaji/core";
import { logLevels } from "../log/create-log.ts";
import type { LogLevel } from "../log/create-log.ts";
import { parseListenAddress } from "../manager/listen-address.ts";
import type { ListenAddress } from "../manager/listen-address.ts";
import { parseConcurrency } from "./concurrency.ts";
import type { Concurrency } from "./concurrency.ts";
import { readFlags } from "./flags.ts";
import type { Flag } from "./flags.ts";

/** What the user of an operator decides, by flags or variables. */
export interface OperatorSettings {
  readonly leaderElect: boolean;
  /** Undefined: the namespace of the configuration. */
  readonly leaderElectionNamespace: string | undefined;
  /** Into how many shards the objects are divided among the replicas. Undefined: one replica has all. */
  readonly shards: number | undefined;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  /** Undefined: no metrics are served. */
  readonly metricsAddress: ListenAddress | undefined;
  readonly metricsAuth: boolean;
  readonly metricsCertificate: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly healthAddress: ListenAddress | undefined;
  /** Undefined: no profiles are taken. */
  readonly profilingAddress: ListenAddress | undefined;
  /** Undefined: as by default. */
  readonly webhookAddress: ListenAddress | undefined;
  /** Undefined: API servers reach the webhooks through a Service. */
  readonly webhookUrl: string | undefined;
  /** A folder with `tls.crt` and `tls.key`. Undefined: the operator makes its certificates by itself. */
  readonly webhookCertificates: string | undefined;
  /** A file with the authorities of those who may call the webhooks. Undefined: whoever reaches them. */
  readonly webhookClientCa: string | undefined;
  /** Undefined: what each controller says. */
  readonly concurrency: Concurrency | undefined;
  readonly syncMs: number;
  readonly logLevel: LogLevel;
  readonly logFormat: "json" | "readable" | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly shutdownMs: number;
}

/** The flags of every operator. Each has a variable too: `--log-level` is `KAJI_LOG_LEVEL`. */
export const operatorFlags: readonly Flag[] = [
  { name: "leader-elect", help: "work only while holding a lease, so that several replicas can run" },
  { name: "leader-election-namespace", value: "NAMESPACE", help: "where the lease is (default: the namespace it runs in)" },
  { name: "shards", value: "N", help: "let all replicas work, each on its share of so many shards (default: one leads)" },
  { name: "namespaces", value: "A,B", help: "look at these namespaces only (default: all)" },
  {
    name: "concurrency",
    value: "N,NAME=N",
    help: "reconciles at once, of each or of one controller (default: as it says)",
  },
  { name: "sync-timeout", value: "DURATION", help: "how long caches may take to fill at the start (default: 2m)" },
  { name: "listen-host", value: "HOST", help: "where is served what names no host (default: on all addresses)" },
  { name: "metrics-address", value: "HOST:PORT", help: "where /metrics is served, 0 for nowhere (default: :8080)" },
  { name: "metrics-auth", help: "show metrics, by TLS, only to those whom the cluster lets get /metrics" },
  {
    name: "metrics-cert-file",
    value: "FILE",
    help: "serve metrics by TLS with this certificate; needs --metrics-key-file",
  },
  { name: "metrics-key-file", value: "FILE", help: "the key of that certificate" },
  {
    name: "health-address",
    value: "HOST:PORT",
    help: "where /healthz and /readyz are served, 0 for nowhere (default: :8081)",
  },
  {
    name: "profiling-address",
    value: "HOST:PORT",
    help: "where /debug/reconciles and profiles are served (default: nowhere)",
  },
  { name: "webhook-address", value: "HOST:PORT", help: "where webhooks are served (default: :9443)" },
  { name: "webhook-url", value: "URL", help: "where the API server reaches them (default: by the Service NAME-webhook)" },
  { name: "webhook-certificates", value: "FOLDER", help: "has tls.crt and tls.key for them (default: made by itself)" },
  {
    name: "webhook-client-ca",
    value: "FILE",
    help: "answer only who has a certificate of this authority (default: anybody)",
  },
  { name: "shutdown-timeout", value: "DURATION", help: "how long reconciles under way may take to end (default: 30s)" },
  { name: "log-level", value: "LEVEL", help: `${logLevels.join(", ")} (default: info); SIGUSR2 turns debug on or off` },
  { name: "log-format", value: "FORMAT", help: "json or readable (default: readable on a terminal)" },
  { name: "kubeconfig", value: "FILE", help: "the cluster to work on (default: as kubectl, or the one it runs in)" },
  { name: "context", value: "NAME", help: "the context of the kubeconfig (default: the current one)" },
];

/** Reads flags and variables for an operator with controllers of these names; throws a `UsageError` that names the flag. */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  controllers: readonly string[] = [],
): OperatorSettings | "Help" {
  const read = readFlags(operatorFlags, argv, env);
  if (read === "Help") return read;
  const { text, isSet } = read;
  const listenHost = text("listen-host");
  const address = (flag: string, byDefault: string): ListenAddress | undefined => {
    const given = text(flag) === undefined ? parseListenAddress(byDefault) : read.parsed(flag, parseListenAddress);
    return given === undefined ? undefined : { ...given, host: hostOf(given, listenHost) };
  };
  const [certFile, keyFile] = [text("metrics-cert-file"), text("metrics-key-file")];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw read.error("metrics-cert-file", "needs --metrics-key-file, and the other way round");
  return {
    leaderElect: isSet("leader-elect"),
    leaderElectionNamespace: text("leader-election-namespace"),
    shards: read.parsed("shards", parseShards),
    namespaces: read.parsed("namespaces", parseList),
    metricsAddress: address("metrics-address", ":8080"),
    metricsAuth: isSet("metrics-auth"),
    metricsCertificate: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    healthAddress: address("health-address", ":8081"),
    profilingAddress: address("profiling-address", "0"),
    webhookAddress: address("webhook-address", ":9443"),
    webhookUrl: read.parsed("webhook-url", parseUrl),
    webhookCertificates: text("webhook-certificates"),
    webhookClientCa: text("webhook-client-ca"),
    concurrency: read.parsed("concurrency", (value) => parseConcurrency(value, controllers)),
    syncMs: read.parsed("sync-timeout", durationMs) ?? 120_000,
    logLevel: read.parsed("log-level", (value) => oneOf(logLevels, value)) ?? "info",
    logFormat: read.parsed("log-format", (value) => oneOf(["json", "readable"], value)),
    kubeconfig: text("kubeconfig"),
    context: text("context"),
    shutdownMs: read.parsed("shutdown-timeout", durationMs) ?? 30_000,
  };
}

/** What names no host is served where all is. `localhost` is the loopback of the pod, which on a machine with many pods in one network is an address of its own (`127.244.0.2`). */
function hostOf({ host }: ListenAddress, listenHost: string | undefined): string | undefined {
  if (host !== "localhost") return host ?? listenHost;
  return listenHost?.startsWith("127.") === true ? listenHost : "127.0.0.1";
}

/** Each shard is an object in the cluster. */
const mostShards = 1000;

function parseShards(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > mostShards) throw new TypeError(`${JSON.stringify(text)} is not a whole number from 1 to ${mostShards}`);
  return count;
}

function parseList(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const bad = names.find((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name));
  if (bad !== undefined) throw new TypeError(`${JSON.stringify(bad)} is not the name of a namespace`);
  return [...new Set(names)];
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== "https:")
    throw new TypeError(`${JSON.stringify(text)} is not a URL that begins with https://`);
  return text;
}

function oneOf<const T extends string>(allowed: readonly T[], text: string): T {
  const found = allowed.find((each) => each === text);
  if (found === undefined) throw new TypeError(`${JSON.stringify(text)} is none of ${allowed.join(", ")}`);
  return found;
}

import { isIP } from "node:net";
import type { KubeClient } from "@kaji/client";
import { aborted, systemClock } from "@kaji/core";
import type { Random } from "@kaji/core";
import type { MirroredKind } from "../controller/running-controller.ts";
import { BuiltInAuthority } from "../certificates/built-in-authority.ts";
import type { BuiltInAuthorityOptions } from "../certificates/built-in-authority.ts";
import type { BundleHolders } from "../certificates/ca-bundle.ts";
import { CertificateFiles } from "../certificates/certificate-files.ts";
import { apiServiceNames } from "../api/api-services.ts";
import type { Api, OperatorApis, ServedHandler } from "../api/served-api.ts";
import { webhookHandler } from "./webhook-handler.ts";
import type { WebhookHandlerOptions } from "./webhook-handler.ts";
import { WebhookMirrors } from "./webhook-mirrors.ts";
import type { WebhookMirrorsOptions } from "./webhook-mirrors.ts";
import { partWord } from "../declare/reading-part.ts";
import { kindText } from "./webhook-path.ts";
import { createWebhookServer } from "./webhook-server.ts";
import type { WebhookServerOptions } from "./webhook-server.ts";
import { webhookService } from "./webhook-configuration.ts";
import type { WebhookTarget } from "./webhook-configuration.ts";

/** The webhooks of one operator, and how they are reached. */
export interface OperatorWebhooksOptions
  extends
    Omit<WebhookHandlerOptions, "mirrors" | "reader">,
    Partial<Pick<WebhookMirrorsOptions, "controllers" | "informers" | "timeoutMs">>,
    Pick<WebhookServerOptions, "clientCaFile" | "grace" | "host" | "linger" | "port">,
    Lifetimes {
  /** The name of the operator: that of its configurations, and the first part of that of the Secret. */
  readonly name: string;
  readonly target: WebhookTarget;
  readonly client: KubeClient;
  /** The namespace of the operator. */
  readonly namespace: string;
  readonly random?: Random | undefined;
  /** Kinds that are served at the same port, to the API server that passes requests for them on. Default: none. */
  readonly apis?: readonly Api[] | undefined;
  /** What serves them. */
  readonly operatorApis?: OperatorApis | undefined;
  /** Files that another program writes, such as cert-manager. Absent: the built-in authority makes the certificates. */
  readonly certificateFiles?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

type Lifetimes = Pick<BuiltInAuthorityOptions, "authorityLifetime" | "certificateLifetime" | "overlap" | "recheck">;

/** All that an operator needs for its webhooks, as one thing to run. */
export interface OperatorWebhooks {
  readonly name: string;
  /** What they mirror at the moment. */
  readonly mirrored: readonly MirroredKind[];
  /** What answers, for an API server in the same process. */
  readonly handler: ServedHandler;
  /** Resolves when requests are accepted, and the CA bundle is published. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Serves until it is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** The webhooks of an operator: their server, their certificates from files or an authority of our own, and what they mirror. */
export function operatorWebhooks(options: OperatorWebhooksOptions): OperatorWebhooks {
  const mirrors = mirrorsOf(options);
  const mirrored = mirrors === undefined ? {} : { mirrors: () => mirrors };
  const reviews = webhookHandler({ ...options, reader: () => options.client, ...mirrored });
  const { operatorApis: apis } = options;
  const handler = apis?.handler(mirrored, reviews) ?? reviews;
  const certificates = certificatesOf(options);
  const server = createWebhookServer({ ...options, handler, certificates, frontProxy: apis?.frontProxy });
  const ready = Promise.all([server.ready, certificates.ready, apis?.frontProxy.ready]).then(([address]) => address);
  // What is mirrored may have to be converted here.
  const mirroring = mirrors === undefined ? [] : [{ run: (signal: AbortSignal) => onceReady(ready, mirrors, signal) }];
  return {
    name: "webhooks",
    handler,
    get mirrored() {
      return mirrors?.mirrored ?? [];
    },
    ready,
    run: (signal) => runBeside(server, [certificates, ...(apis === undefined ? [] : [apis.frontProxy]), ...mirroring], signal),
  };
}

/** The names that certificates of a target are for. */
export function webhookHosts(target: WebhookTarget): readonly string[] {
  if (target.type === "Service") return [`${target.name}.${target.namespace}.svc`, `${target.name}.${target.namespace}.svc.cluster.local`];
  const { hostname } = new URL(target.url);
  const address = hostname.replaceAll(/[[\]]/g, "");
  return [isIP(address) === 0 ? hostname : address];
}

/** Those of the target, and those of the Service behind which APIs are wherever it leads. */
function hostsOf({ name, namespace, target, apis = [] }: OperatorWebhooksOptions): readonly string[] {
  const hosts = webhookHosts(target);
  return apis.length === 0 || target.type === "Service" ? hosts : [...hosts, ...webhookHosts(webhookService(name, namespace))];
}

/** The Secret in which the replicas of an operator share the certificates of its webhooks. */
export function certificateSecretName(operator: string): string {
  return `${operator}-webhook-certificates`;
}

/** The names of the objects by which the webhooks of an operator are installed. */
export function configurationsOf({
  name,
  webhooks = [],
  conversions = [],
  apis = [],
}: Pick<OperatorWebhooksOptions, "apis" | "conversions" | "name" | "webhooks">): {
  readonly [K in keyof BundleHolders]-?: readonly string[];
} {
  const types = new Set(webhooks.flatMap(({ endpoints }) => endpoints.map(({ type }) => type)));
  return {
    mutating: types.has("Mutating") ? [name] : [],
    validating: types.has("Validating") ? [name] : [],
    customResourceDefinitions: conversions.map(({ resource }) => `${resource.plural}.${resource.group}`),
    apiServices: apiServiceNames(apis),
  };
}

function certificatesOf(options: OperatorWebhooksOptions): BuiltInAuthority | CertificateFiles {
  const { name, certificateFiles } = options;
  if (certificateFiles !== undefined) return new CertificateFiles({ ...options, ...certificateFiles });
  const holders = configurationsOf(options);
  return new BuiltInAuthority({ ...options, secretName: certificateSecretName(name), names: hostsOf(options), holders });
}

/** Undefined: there are no informers to mirror with. */
function mirrorsOf({
  webhooks = [],
  apis = [],
  informers,
  clock = systemClock,
  ...rest
}: OperatorWebhooksOptions): WebhookMirrors | undefined {
  const parts = [...webhooks, ...apis];
  if (informers !== undefined) return new WebhookMirrors({ ...rest, parts, informers, clock });
  const watching = parts.find(({ watches }) => watches.length > 0);
  if (watching !== undefined) throw new TypeError(`the ${partWord(watching)} of ${kindText(watching.resource)} watches: give it informers`);
  return undefined;
}

interface Running {
  run(signal: AbortSignal): Promise<void>;
}

async function onceReady(ready: Promise<unknown>, part: Running, signal: AbortSignal): Promise<void> {
  await Promise.race([ready, aborted(signal)]);
  if (!signal.aborted) await part.run(signal);
}

/** Runs the server, and beside it what it needs until its end; the failure of one stops all. */
async function runBeside(server: Running, needed: readonly Running[], signal: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const [serverEnd, neededEnd] = [new AbortController(), new AbortController()];
  const onFailure = (error: unknown): never => {
    failure.abort(error);
    serverEnd.abort();
    neededEnd.abort();
    throw error;
  };
  const beside = needed.map((part) => part.run(neededEnd.signal).catch(onFailure));
  const serving = server
    .run(AbortSignal.any([signal, serverEnd.signal]))
    .catch(onFailure)
    .finally(() => neededEnd.abort());
  // All are awaited at once: a rejection that is not awaited would end the process.
  await Promise.allSettled([serving, ...beside]);
  if (failure.signal.aborted) throw failure.signal.reason;
}

import { isIP } from "node:net";
import type { KubeClient } from "@kaji/client";
import type { Random, Transport } from "@kaji/core";
import { BuiltInAuthority } from "./built-in-authority.ts";
import type { BuiltInAuthorityOptions } from "./built-in-authority.ts";
import type { BundleHolders } from "./ca-bundle.ts";
import { CertificateFiles } from "./certificate-files.ts";
import { webhookHandler } from "./webhook-handler.ts";
import type { WebhookHandlerOptions } from "./webhook-handler.ts";
import { createWebhookServer } from "./webhook-server.ts";
import type { WebhookServerOptions } from "./webhook-server.ts";
import type { WebhookTarget } from "./webhook-configuration.ts";

/** The webhooks of one operator, and how they are reached. */
export interface OperatorWebhooksOptions
  extends
    Omit<WebhookHandlerOptions, "reader">,
    Pick<WebhookServerOptions, "clientCaFile" | "grace" | "host" | "linger" | "port">,
    Lifetimes {
  /** The name of the operator: that of its configurations, and the first part of that of the Secret. */
  readonly name: string;
  readonly target: WebhookTarget;
  readonly client: KubeClient;
  /** The namespace of the operator. */
  readonly namespace: string;
  readonly random?: Random | undefined;
  /** Files that another program writes, such as cert-manager. Absent: the built-in authority makes the certificates. */
  readonly certificateFiles?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

type Lifetimes = Pick<BuiltInAuthorityOptions, "authorityLifetime" | "certificateLifetime" | "overlap" | "recheck">;

/** All that an operator needs for its webhooks, as one thing to run. */
export interface OperatorWebhooks {
  readonly name: string;
  /** What answers, for an API server in the same process. */
  readonly handler: Transport;
  /** Resolves when requests are accepted, and the CA bundle is published. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Serves until it is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** The webhooks of an operator: their server, and their certificates from files or an authority of our own. */
export function operatorWebhooks(options: OperatorWebhooksOptions): OperatorWebhooks {
  const handler = webhookHandler({ ...options, reader: () => options.client });
  const certificates = certificatesOf(options);
  const server = createWebhookServer({ ...options, handler, certificates });
  return {
    name: "webhooks",
    handler,
    ready: Promise.all([server.ready, certificates.ready]).then(([address]) => address),
    run: (signal) => runBoth(certificates, server, signal),
  };
}

/** The names that certificates of a target are for. */
export function webhookHosts(target: WebhookTarget): readonly string[] {
  if (target.type === "Service") return [`${target.name}.${target.namespace}.svc`, `${target.name}.${target.namespace}.svc.cluster.local`];
  const { hostname } = new URL(target.url);
  const address = hostname.replaceAll(/[[\]]/g, "");
  return [isIP(address) === 0 ? hostname : address];
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
}: Pick<OperatorWebhooksOptions, "conversions" | "name" | "webhooks">): { readonly [K in keyof BundleHolders]-?: readonly string[] } {
  const types = new Set(webhooks.flatMap(({ endpoints }) => endpoints.map(({ type }) => type)));
  return {
    mutating: types.has("Mutating") ? [name] : [],
    validating: types.has("Validating") ? [name] : [],
    customResourceDefinitions: conversions.map(({ resource }) => `${resource.plural}.${resource.group}`),
  };
}

function certificatesOf(options: OperatorWebhooksOptions): BuiltInAuthority | CertificateFiles {
  const { name, certificateFiles, target } = options;
  if (certificateFiles !== undefined) return new CertificateFiles({ ...options, ...certificateFiles });
  const holders = configurationsOf(options);
  return new BuiltInAuthority({ ...options, secretName: certificateSecretName(name), names: webhookHosts(target), holders });
}

interface Running {
  run(signal: AbortSignal): Promise<void>;
}

/** Runs the certificate source beside the server; the failure of either stops both. */
async function runBoth(certificates: Running, server: Running, signal: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const [serverEnd, certificatesEnd] = [new AbortController(), new AbortController()];
  const onFailure = (error: unknown): never => {
    failure.abort(error);
    serverEnd.abort();
    certificatesEnd.abort();
    throw error;
  };
  const looking = certificates.run(certificatesEnd.signal).catch(onFailure);
  const serving = server
    .run(AbortSignal.any([signal, serverEnd.signal]))
    .catch(onFailure)
    .finally(() => certificatesEnd.abort());
  // Both are awaited at once: a rejection that is not awaited would end the process.
  await Promise.allSettled([serving, looking]);
  if (failure.signal.aborted) throw failure.signal.reason;
}

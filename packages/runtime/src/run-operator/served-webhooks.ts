import { join } from "node:path";
import type { KubeClient } from "@kaji/client";
import type { Informers } from "@kaji/informer";
import type { HealthCheck } from "../health/health-checks.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { OperatorWebhooks } from "../webhook/operator-webhooks.ts";
import { webhookService } from "../webhook/webhook-configuration.ts";
import type { WebhookTarget } from "../webhook/webhook-configuration.ts";
import { ownNamespace } from "./operator-parts.ts";
import type { OperatorParts } from "./operator-parts.ts";
import { refusedWebhooks } from "./startup-refusals.ts";

/** What serves the webhooks of an operator, and whether it does. */
export interface ServedWebhooks extends Pick<OperatorWebhooks, "mirrored"> {
  readonly runnable: Runnable;
  readonly check: HealthCheck;
}

/** Undefined: no API server calls the operator. */
export function servedWebhooks(parts: OperatorParts, client: KubeClient, informers: Informers): ServedWebhooks | undefined {
  const { options, settings, surroundings, log, optional } = parts;
  const { name, controllers, webhooks = [], conversions = [], apis = [] } = options;
  if (optional.operatorWebhooks === undefined) return undefined;
  const { clock, random } = surroundings;
  const { namespaces, syncMs, webhookAddress, webhookUrl, webhookCertificates: folder, webhookClientCa } = settings;
  const namespace = ownNamespace(parts);
  const target: WebhookTarget = webhookUrl === undefined ? webhookService(name, namespace) : { type: "Url", url: webhookUrl };
  const certificateFiles = folder === undefined ? undefined : { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  const common = { name, client, namespace, namespaces, clock, random, log, observer: optional.metrics?.webhooks };
  const serving = optional.operatorWebhooks({
    ...common,
    ...webhookAddress,
    webhooks,
    conversions,
    apis,
    operatorApis: optional.operatorApis?.({ ...common, apis }),
    target,
    certificateFiles,
    clientCaFile: webhookClientCa,
    informers,
    controllers,
    timeoutMs: syncMs,
  });
  let isServing = false;
  void serving.ready.then(() => (isServing = true));
  return {
    get mirrored() {
      return serving.mirrored;
    },
    runnable: { name: serving.name, ready: serving.ready, run: (signal) => serving.run(signal).catch(refusedWebhooks) },
    check: { name: "webhooks", check: () => (isServing ? { ok: true } : { ok: false, reason: "they are not served yet" }) },
  };
}

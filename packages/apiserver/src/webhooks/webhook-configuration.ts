import { compileSelector, parseJsonBytes } from "@kaji/core";
import type { DynamicObject, LabelSelector, Selector } from "@kaji/core";
import type { WebhookClientConfig } from "../custom/definition/crd.ts";
import type { AdmissionExpression } from "../policies/admission-expression.ts";
import type { Entry, Storage } from "../storage/storage.ts";
import { compileMatchConditions } from "./match-conditions.ts";
import type { MatchCondition } from "./match-conditions.ts";
import type { Rule } from "./rule.ts";

/** One webhook of a configuration, as it was validated and defaulted. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchPolicy?: "Equivalent" | "Exact";
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: "IfNeeded" | "Never";
  readonly matchConditions?: readonly MatchCondition[];
}

/** A webhook that is ready to be matched. */
export interface RegisteredWebhook extends Webhook {
  readonly configuration: string;
  readonly namespaces: Selector;
  readonly objects: Selector;
  readonly conditions: readonly AdmissionExpression[];
}

/**
 * The webhooks that the configurations of one kind register, by the name of the configuration and then in the order it lists them.
 * Storage notifies of a write before the writer gets its response: a configuration is in force for every request after that.
 */
export class RegisteredWebhooks {
  readonly #storage: Storage;
  readonly #prefix: string;
  /** Undefined when configurations have changed since it was made. */
  #webhooks: readonly RegisteredWebhook[] | undefined;

  constructor(storage: Storage, plural: string) {
    this.#storage = storage;
    this.#prefix = `/registry/${plural}/`;
    storage.subscribe(this.#prefix, storage.currentRevision, () => {
      this.#webhooks = undefined;
    });
  }

  get all(): readonly RegisteredWebhook[] {
    return (this.#webhooks ??= this.#storage.list(this.#prefix).entries.flatMap(readWebhooks));
  }
}

/** Webhooks by the bytes of their configuration, which the forks of a storage share. */
const known = new WeakMap<Uint8Array, readonly RegisteredWebhook[]>();

function readWebhooks({ bytes }: Entry): readonly RegisteredWebhook[] {
  let webhooks = known.get(bytes);
  if (webhooks === undefined) known.set(bytes, (webhooks = parseWebhooks(bytes)));
  return webhooks;
}

function parseWebhooks(bytes: Uint8Array): readonly RegisteredWebhook[] {
  const { metadata, webhooks = [] } = parseJsonBytes(bytes) as WebhookConfiguration;
  return webhooks.map((webhook) => {
    const { namespaceSelector = {}, objectSelector = {}, matchConditions = [] } = webhook;
    return {
      ...webhook,
      configuration: metadata.name,
      namespaces: compileSelector(namespaceSelector),
      objects: compileSelector(objectSelector),
      conditions: compileMatchConditions(matchConditions),
    };
  });
}

interface WebhookConfiguration extends DynamicObject {
  readonly webhooks?: readonly Webhook[];
}

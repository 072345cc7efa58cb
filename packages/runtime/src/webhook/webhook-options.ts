import type { FieldError, KubeObject, LabelSelector, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { View } from "@kaji/informer";
import type { MatchCondition } from "@kaji/types/admissionregistration/v1";
import type { UserInfo } from "@kaji/types/authentication/v1";
import type { AdmissionRequest } from "./admission-request.ts";
import type { ReadKind } from "../declare/reading-part.ts";
import type { CachedBy, CachedKind, WebhookCache } from "./webhook-cache.ts";
import type { WebhookReads } from "./webhook-reads.ts";

/** Which writes reach a webhook, and what happens when it cannot be reached. */
export interface WebhookMatching {
  /** Whether objects come when they are made, when they are changed, or both, which is the default. Deletions come where there is `validateDelete`. */
  readonly operations?: readonly ObjectOperation[];
  /** Parts of objects that are written by themselves, and are asked about too: by default none is, so that `kubectl debug` gets past the webhook of Pods. */
  readonly subresources?: readonly WholeSubresource[];
  /** What becomes of a write when there is no answer, or the handler fails rather than decides. Default `Fail`: it is refused. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Whether writes in other versions of the kind come too, converted. Default `Equivalent`: they do. */
  readonly matchPolicy?: "Equivalent" | "Exact";
  /** In which namespaces. That of the operator itself is always left out. */
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions?: readonly MatchCondition[];
  /** Default 10, as the server has it. */
  readonly timeoutSeconds?: number;
  /** Whether objects are defaulted again when another webhook has changed them after us. Default `Never`. */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}

/** A write that brings an object. */
export type ObjectOperation = "CREATE" | "UPDATE";

/** The subresources whose writes bring the whole object. Others bring an object of another kind, such as the Scale of a Deployment. */
export type WholeSubresource = "approval" | "ephemeralcontainers" | "finalize" | "resize" | "status";

/** What a webhook does with objects of the type `T`. */
export interface WebhookOptions<
  T extends KubeObject,
  Uses extends readonly ReadKind[] = readonly [],
  Watches extends readonly CachedKind[] = readonly [],
> extends WebhookMatching {
  /** The kinds that its handlers read from the server, such as `use(Bar, "list")`; the role of the operator follows. Default: none. */
  readonly uses?: Uses;
  /**
   * The kinds that its handlers read from memory: a kind or a view by itself, or `watch(Bar, { labelSelector: "…" })` for some of its objects. They are mirrored in every replica, with the same watch as
   * for the controllers; the role of the operator follows. Default: none.
   */
  readonly watches?: Watches;
  /**
   * Fills in what the user left out. It may change the object it is given, which is a copy, or return another. The object has not been
   * validated yet.
   */
  readonly default?: (
    object: Writable<T>,
    context: AdmissionContext<T, Uses, Watches>,
  ) => MaybePromise<Writable<T> | DeepReadonly<T> | void>;
  /** What is wrong with an object that the schema of its kind has found nothing wrong with. `throw forbidden(…)` and the like refuse it as a whole. */
  readonly validate?: (object: DeepReadonly<T>, context: AdmissionContext<T, Uses, Watches>) => MaybePromise<FieldErrors>;
  /** Why an object must not be deleted. */
  readonly validateDelete?: (object: DeepReadonly<T>, context: WriteContext<Uses, Watches>) => MaybePromise<FieldErrors>;
}

/** What is wrong with the fields of an object: nothing, one thing or several. */
export type FieldErrors = readonly FieldError[] | FieldError | void;

/** The write that an object comes with: `old` is what it replaces. */
export type AdmissionContext<
  T extends KubeObject,
  Uses extends readonly ReadKind[] = readonly [],
  Watches extends readonly CachedKind[] = readonly [],
> = WriteContext<Uses, Watches> &
  ({ readonly operation: "CREATE"; readonly old: undefined } | { readonly operation: "UPDATE"; readonly old: DeepReadonly<T> });

/** What is known of every write. */
export interface WriteContext<Uses extends readonly ReadKind[] = readonly [], Watches extends readonly CachedKind[] = readonly []> {
  /** Reads what is declared in `uses`, from the server. */
  readonly live: WebhookReads<Uses>;
  /** Reads what is declared in `watches`, from memory: it is as old as the watch, and complete, or the handler is not called. */
  readonly cache: WebhookCache<Watches>;
  /** Whether the server has a kind of `watches`: false of an optional one that is not installed. */
  isServed<C extends CachedBy<Watches>>(this: void, of: Resource<C> | View<C>): boolean;
  readonly user: UserInfo;
  /** Nothing will be stored, and nothing else may happen either. */
  readonly dryRun: boolean;
  /** Tells the user something without refusing the write, such as what would be refused if a policy were enforced; `kubectl` prints it. */
  readonly warn: (about: string | FieldError) => void;
  /** Notes something in the audit log of the API server, under the name of the webhook and this key, whatever becomes of the write. */
  readonly audit: (key: string, value: string) => void;
  /** The request as it came. */
  readonly request: AdmissionRequest;
  /** Aborted when the API server no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** The type with everything in it open to change. */
export type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T;

type MaybePromise<T> = T | Promise<T>;

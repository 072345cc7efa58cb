import type { KubeObject, Resource, Selector } from "@kaji/core";
import type { StructuralSchema, UserAccess } from "@kaji/core/define";
import type { UserInfo } from "@kaji/core/serving";
import type { View } from "@kaji/informer";
import type { LiveReads } from "../reconcile/reconcile-context.ts";
import { cachedKinds } from "../webhook/webhook-cache.ts";
import type { AnyWebhookCache, CachedBy, CachedKind, WebhookCache } from "../webhook/webhook-cache.ts";
import type { ReadKind, WebhookReads } from "../webhook/webhook-reads.ts";
import type { ReadingPart } from "../webhook/reading-part.ts";
import type { ApiRow, Cell } from "./object-table.ts";
import type { operatorApis } from "./operator-apis.ts";

/** A kind that an operator serves by itself behind the API server, from what it knows: nothing of it is stored. Pure data and functions: what serves or installs it is elsewhere. */
export interface Api extends ReadingPart {
  readonly type: "Api";
  /** By what it is called beside its names, as discovery has it: alone, and together with others. */
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Whether users who may view everything in a namespace may view it. Metrics are for those who scale by them. */
  readonly isViewed: boolean;
  /** What can be asked of it, as discovery and roles have it. */
  readonly verbs: readonly ("get" | "list")[];
  /** What OpenAPI says of its objects. Undefined: nothing, since it answers with a document, such as the values of a metric. */
  readonly schema: StructuralSchema | undefined;
  /** Answers somebody who may ask. */
  readonly reply: (question: AnyApiQuestion) => Promise<ApiReply>;
  /** Loads what serves it. It comes with the API, so that an operator without one has none of it in its bundle. */
  readonly server: () => Promise<typeof operatorApis>;
}

/** Objects, of which those are shown that were asked for, or another document that is shown as it is. */
export type ApiReply =
  | { readonly type: "Objects"; readonly heads: readonly string[]; readonly rows: readonly ApiRow[] }
  | { readonly type: "Document"; readonly document: object };

/** What is asked, and what an answer can be made of. */
export interface ApiQuestion<Uses extends readonly ReadKind[] = readonly [], Watches extends readonly CachedKind[] = readonly []> {
  /** Undefined: in all of them, or the kind is in none. */
  readonly namespace: string | undefined;
  /** Of the one object that is asked for. Undefined: all of them are. */
  readonly name: string | undefined;
  /** Which labels are asked for. */
  readonly labelSelector: Selector;
  /** When it is asked, in ms since 1970. */
  readonly nowMs: number;
  /** Who asks. Whether they may has been decided. */
  readonly user: UserInfo;
  /** Reads what is declared in `uses`, from the server. */
  readonly live: WebhookReads<Uses>;
  /** Reads what is declared in `watches`, from memory, once all of it is there. */
  readonly cache: WebhookCache<Watches>;
  /** Whether the server has a kind of `watches`: false of an optional one that is not installed. */
  isServed<C extends CachedBy<Watches>>(this: void, of: Resource<C> | View<C>): boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
}

/** The same with reads of every kind: which ones, the types of the handlers have checked. */
export interface AnyApiQuestion extends Omit<ApiQuestion, "cache" | "isServed" | "live">, AnyWebhookCache {
  readonly live: LiveReads<KubeObject>;
  /** Which labels of a metric are asked for, where `labelSelector` says which objects. */
  readonly metricLabelSelector: Selector;
}

/** An object as a handler makes it: the resource adds `apiVersion` and `kind`. */
export type ServedObject<T extends KubeObject> = Omit<T, "apiVersion" | "kind"> & Pick<KubeObject, "metadata">;

/** What is served of a kind with objects of the type `T`. */
export interface ApiOptions<T extends KubeObject, Uses extends readonly ReadKind[], Watches extends readonly CachedKind[]> extends ApiReads<
  Uses,
  Watches
> {
  /** The objects that there are. It may leave out what was not asked for by namespace, name or labels; whatever it does not leave out is left out after it. */
  readonly list: (question: ApiQuestion<Uses, Watches>) => Iterable<ServedObject<T>> | Promise<Iterable<ServedObject<T>>>;
  /** What `kubectl get` prints beside the name, by the heads of the columns. Default: nothing. */
  readonly columns?: Readonly<Record<string, (object: ServedObject<T>) => Cell>>;
}

/** What handlers read. */
export interface ApiReads<Uses extends readonly ReadKind[], Watches extends readonly CachedKind[]> {
  /** The kinds that are read from the server, such as `use(Bar, "list")`; the role of the operator follows. Default: none. */
  readonly uses?: Uses;
  /** The kinds that are read from memory, with the same watch as for the controllers, in every replica; the role of the operator follows. Default: none. */
  readonly watches?: Watches;
}

/** What `defineResource` knows of a kind beside its names. */
interface Described {
  /** Default: of each object only that it is one. */
  readonly openApiSchema?: StructuralSchema;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly userAccess?: UserAccess;
}

/** Declares a kind whose objects are made when they are asked for: `kubectl get` and clients read them as they read any, but cannot watch or write them. One of `defineResource` is described, for `kubectl explain` and the like. */
export function api<
  T extends KubeObject,
  const Uses extends readonly ReadKind[] = readonly [],
  const Watches extends readonly CachedKind[] = readonly [],
>(resource: Resource<T> & Described, { list, columns = {}, uses, watches }: ApiOptions<T, Uses, Watches>): Api {
  const { group, version, kind, scope } = resource;
  const { openApiSchema: schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } } = resource;
  const { shortNames = [], categories = [], userAccess } = resource;
  const type = { apiVersion: `${group}/${version}`, kind };
  const cells = Object.values(columns);
  const rowOf = (object: ServedObject<T>): ApiRow => {
    const { name, namespace } = object.metadata;
    const isNamespaced = (namespace ?? "") !== "";
    const where = isNamespaced ? `in the namespace ${namespace}` : "in no namespace";
    if (isNamespaced !== (scope === "Namespaced"))
      throw new TypeError(`the API of ${kind} lists ${name} ${where}, but its scope is ${scope}`);
    return { object: { ...object, ...type }, cells: () => cells.map((cell) => cell(object)) };
  };
  return {
    ...apiParts(resource, { uses, watches }),
    shortNames,
    categories,
    isViewed: userAccess !== "none",
    verbs: ["get", "list"],
    schema,
    reply: async (question) => ({ type: "Objects", heads: Object.keys(columns), rows: Array.from(await list(question), rowOf) }),
  };
}

/** What is declared of every API. */
export function apiParts(
  resource: Resource,
  { uses = [], watches = [] }: { readonly uses?: readonly ReadKind[] | undefined; readonly watches?: readonly CachedKind[] | undefined },
): Omit<Api, "reply" | "verbs"> {
  if (resource.group === "") throw new TypeError(`an API of ${resource.kind} needs a group of its own: v1 is the API server's`);
  const server = async (): Promise<typeof operatorApis> => (await import("./operator-apis.ts")).operatorApis;
  const common = { shortNames: [], categories: [], isViewed: false, schema: undefined };
  return { ...common, type: "Api", resource, uses, watches: cachedKinds({ type: "Api", resource }, watches), server };
}

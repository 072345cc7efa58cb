import type { KubeObject, Resource } from "@kaji/core";
import type { StructuralSchema, UserAccess } from "@kaji/core/define";
import { cachedKinds } from "../webhook/webhook-cache.ts";
import type { CachedKind } from "../webhook/webhook-cache.ts";
import type { ReadKind } from "../declare/reading-part.ts";
import type { ApiRow, Cell } from "./object-table.ts";
import type { ApiQuestion } from "./api-question.ts";
import type { Api, ServeApis } from "./served-api.ts";

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
  const server = async (): Promise<ServeApis> => (await import("./operator-apis.ts")).operatorApis;
  const common = { shortNames: [], categories: [], isViewed: false, schema: undefined };
  return { ...common, type: "Api", resource, uses, watches: cachedKinds({ type: "Api", resource }, watches), server };
}

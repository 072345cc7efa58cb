import { formatApiVersion, formatKind, isReason, isRecord, parseApiVersion, refusal } from "@kaji/core";
import type { ApiError, JsonObject, KubeObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { APIGroupList, APIVersions } from "@kaji/types/meta/v1";
import type { ApiCaller } from "../request/api-caller.ts";
import { askForDocument } from "../response/object-answer.ts";
import { aggregatedForm, readAggregated } from "./aggregated-discovery.ts";
import type { AggregatedGroups } from "./aggregated-discovery.ts";
import type { DiscoveryResult } from "./discovery-result.ts";
import type { KnownKinds } from "./known-kinds.ts";
import { groupVersionsOf, readPlain, resourcesIn } from "./plain-discovery.ts";
import type { ServedResource } from "./served-resource.ts";

/** Which Kubernetes a server is. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** Such as `v1.36.3`. */
  readonly gitVersion: string;
}

/** Finds out what a server serves: for kinds that the program knows by their names only. */
export class Discovery {
  readonly #api: ApiCaller;
  readonly #known: KnownKinds;

  constructor(api: ApiCaller, known: KnownKinds) {
    this.#api = api;
    this.#known = known;
  }

  /** Everything there is. One request each for the core and the named groups, unless the server is older than 1.26. */
  async all(signal?: AbortSignal): Promise<DiscoveryResult> {
    const results = await Promise.all([this.#root("/api", signal), this.#root("/apis", signal)]);
    return {
      resources: results.flatMap(({ resources }) => resources),
      failures: new Map(results.flatMap(({ failures }) => [...failures])),
    };
  }

  /** The resource of a kind: of an object, or of whatever names a kind as objects do. Throws a NotFound if the server has no such kind. */
  async resourceOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">, signal?: AbortSignal): Promise<ServedResource> {
    const groupVersion = parseApiVersion(apiVersion);
    const ofKind = (served: readonly ServedResource[]): ServedResource | undefined => served.find((each) => each.kind === kind);
    const name = formatApiVersion(groupVersion);
    try {
      const remembered = ofKind(this.#known.in(name));
      if (remembered !== undefined) return remembered;
      // Asked again: a CustomResourceDefinition may have been created since.
      const served = await resourcesIn(this.#api, groupVersion, signal);
      this.#known.remember(name, served);
      const found = ofKind(served);
      if (found !== undefined) return found;
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    throw unknown(`the server has no kind ${formatKind({ ...groupVersion, kind })}`);
  }

  /**
   * The resource that a user means by `deploy`, `Deployment`, `deployments.apps` or `deployments.v1.apps`: by plural, singular, kind or short name, in
   * the server's order of groups and versions. Throws a NotFound if there is none.
   */
  async find(name: string, signal?: AbortSignal): Promise<ServedResource> {
    const { resources } = await this.all(signal);
    const wanted = name.toLowerCase();
    const [first = "", ...rest] = wanted.split(".");
    const isIn = ({ group, version }: ServedResource): boolean =>
      rest.length === 0 || rest.join(".") === group || rest.join(".") === [version, group].join(".");
    const candidates = resources.filter(isIn);
    const found =
      candidates.find(({ plural, singular, kind }) => [plural, singular, kind.toLowerCase()].includes(first)) ??
      candidates.find(({ shortNames }) => shortNames.includes(first));
    if (found === undefined) throw unknown(`the server has no resource type ${quote(name)}`);
    return found;
  }

  /** The OpenAPI v3 document of a group version, such as `apps/v1`. */
  async openApi(apiVersion: string, signal?: AbortSignal): Promise<JsonObject> {
    const groupVersion = parseApiVersion(apiVersion);
    const name = `${groupVersion.group === "" ? "api" : "apis"}/${formatApiVersion(groupVersion)}`;
    const index = { method: "GET", path: "/openapi/v3", signal } as const;
    const { paths } = await askForDocument(this.#api, index, isOpenApiIndex, "an index of OpenAPI documents");
    const place = Object.hasOwn(paths, name) ? paths[name] : undefined;
    if (place === undefined) throw unknown(`the server has no OpenAPI document of ${apiVersion}`);
    return this.#api.json<JsonObject>({ method: "GET", path: place.serverRelativeURL, signal });
  }

  /** The version of the server. */
  async version(signal?: AbortSignal): Promise<ServerVersion> {
    return askForDocument(this.#api, { method: "GET", path: "/version", signal }, isServerVersion, "a version");
  }

  async #root(path: "/api" | "/apis", signal?: AbortSignal): Promise<DiscoveryResult> {
    const call = { method: "GET", path, accept: aggregatedForm, signal } as const;
    const root = await askForDocument(this.#api, call, isRootDocument, "a document of discovery");
    // A server that does not know the aggregated form results in the plain one: its kind tells.
    return root.kind === "APIGroupDiscoveryList" ? readAggregated(root) : readPlain(this.#api, groupVersionsOf(root), signal);
  }
}

type RootDocument =
  | AggregatedGroups
  | (Omit<APIVersions, "kind"> & { readonly kind: "APIVersions" })
  | (Omit<APIGroupList, "kind"> & { readonly kind: "APIGroupList" });

interface OpenApiIndex {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

function isOpenApiIndex(value: unknown): value is OpenApiIndex {
  return isRecord(value) && isRecord(value["paths"]);
}

function isServerVersion(value: unknown): value is ServerVersion {
  return isRecord(value) && typeof value["gitVersion"] === "string";
}

function isRootDocument(value: unknown): value is RootDocument {
  return isRecord(value) && ["APIGroupDiscoveryList", "APIVersions", "APIGroupList"].includes(String(value["kind"]));
}

function unknown(message: string): ApiError {
  return refusal("NotFound", message);
}

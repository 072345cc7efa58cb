import { stringifyJson } from "@kaji/core";
import { byQuality } from "@kaji/core/serving";
import type { PathHandler } from "../api-server.ts";
import { noRemoteVersions } from "../discovery/remote-versions.ts";
import type { RemoteVersions } from "../discovery/remote-versions.ts";
import type { KindRegistry } from "../kind-registry.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { OpenApiDocuments } from "./open-api-documents.ts";
import type { PublishedDocument } from "./open-api-documents.ts";

/** What the documents need besides the kinds. */
export interface OpenApiOptions {
  readonly definitions: DefinitionSource;
  /** Of the server, such as `1.36`. */
  readonly version: string;
  /** What other servers serve behind this one; they answer for their documents of v3 themselves, and those of v2 are merged. */
  readonly remote?: RemoteVersions;
}

/** Answers for `/openapi/v2` and `/openapi/v3`. Nothing is built before it is asked for. */
export function openApiPaths(kinds: KindRegistry, options: OpenApiOptions): Readonly<Record<string, PathHandler>> {
  const { definitions, version, remote = noRemoteVersions } = options;
  let known: OpenApiDocuments | undefined;
  const documents = (): OpenApiDocuments => (known ??= new OpenApiDocuments(kinds, definitions, { title: "Kubernetes", version }));
  return {
    "/openapi/v2": (context) => v2(documents(), remote, context),
    "/openapi/v3": () => index(documents(), remote),
    "/openapi/v3/": (context) => v3(documents(), context),
  };
}

const json = "application/json";
const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** Clients ask by the second name, which is not a valid one; the answer has the first. */
const protobufNames: readonly string[] = [protobuf, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"];
const v3Root = "/openapi/v3/";
const encoder = new TextEncoder();
const yearMs = 365 * 24 * 3600 * 1000;

function index(documents: OpenApiDocuments, remote: RemoteVersions): ApiResponse {
  const own = Array.from(documents.index(), ([path, hash]): readonly [string, string] => [path, urlOf(path, hash)]);
  const paths = [...own, ...remote.documents()].map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]);
  const body = encoder.encode(stringifyJson({ paths: Object.fromEntries(paths) }));
  return { status: 200, headers: { "cache-control": "no-cache, private", "content-type": json }, body };
}

/** Who asks by the hash gets a document that never changes, or is told the hash it has now. */
function v3(documents: OpenApiDocuments, context: RequestContext): ApiResponse {
  const { info, query, headers, clock } = context;
  const path = info.path.slice(v3Root.length);
  const document = documents.v3(path);
  if (document === undefined) return empty(404);
  if (accepted(headers["accept"], [json]) === undefined) return empty(406, { vary: "Accept" });
  const hash = query.get("hash") ?? "";
  if (hash === "") return publish(document, json, context, { vary: "Accept" });
  if (hash !== document.hash) return empty(301, { location: urlOf(path, document.hash), vary: "Accept" });
  const expires = new Date(clock.now() + yearMs).toUTCString();
  return publish(document, json, context, { "cache-control": "public, immutable", expires, vary: "Accept" });
}

async function v2(documents: OpenApiDocuments, remote: RemoteVersions, context: RequestContext): Promise<ApiResponse> {
  const type = accepted(context.headers["accept"], [json, ...protobufNames]);
  if (type === undefined) return empty(406, { vary: "Accept" });
  const remotes = await remote.v2Documents();
  return type === json
    ? publish(documents.v2(remotes), json, context, { vary: "Accept" })
    : publish(documents.v2Protobuf(remotes), protobuf, context, { vary: "Accept" });
}

/** A client that has this very document already is told so. */
function publish({ bytes, hash }: PublishedDocument, type: string, { headers }: RequestContext, more: ApiResponse["headers"]): ApiResponse {
  const etag = `"${hash}"`;
  const common = { "cache-control": "no-cache, private", etag, ...more };
  if (isKnown(headers["if-none-match"], etag)) return { status: 304, headers: common, body: new Uint8Array() };
  return { status: 200, headers: { ...common, "content-type": type }, body: bytes };
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(",").some((each) => each.trim().replace(/^W\//, "") === etag || each.trim() === "*") ?? false;
}

function empty(status: number, headers: ApiResponse["headers"] = {}): ApiResponse {
  return { status, headers: { "cache-control": "no-cache, private", ...headers }, body: new Uint8Array() };
}

/** The type that the client wants most among those there are. */
function accepted(accept: string | undefined, types: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === "") return types[0];
  return byQuality(accept)
    .map(({ type }) => types.find((each) => type === each || type === "*/*" || type === "application/*"))
    .find((type) => type !== undefined);
}

function urlOf(path: string, hash: string): string {
  return `${v3Root}${path}?hash=${hash}`;
}

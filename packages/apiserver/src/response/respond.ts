import { formatApiVersion, refusal, stringifyJson } from "@kaji/core";
import { stringify as stringifyYaml } from "yaml";
import type { Tags } from "yaml";
import type { ApiError, ListMeta } from "@kaji/core";
import { includeObjectOf, partialMetadata, partialMetadataList } from "@kaji/core/serving";
import type { ResponseForm } from "@kaji/core/serving";
import { objectsOf } from "../registry/list.ts";
import type { Listing } from "../registry/listing.ts";
import type { Outcome } from "../registry/outcome.ts";
import type { ServedObject } from "../registry/served-object.ts";
import type { Target } from "../registry/target.ts";
import { internalPackage } from "../request/body-type.ts";
import type { RequestContext } from "../request/request-context.ts";
import { octalScalar } from "../request/yaml-scalars.ts";
import { bytesResponse, indentedResponse, jsonResponse } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";
import { scaleColumns } from "./scale-columns.ts";
import { toTable } from "./table.ts";

const encoder = new TextEncoder();

/** As the real server writes it: keys in their order, nothing folded, nothing said once for several places, and texts in quotes that clients would take for something else. */
const yamlStyle = {
  version: "1.1",
  customTags: (tags: Tags): Tags => [octalScalar, ...tags],
  sortMapEntries: true,
  indentSeq: false,
  lineWidth: 0,
  aliasDuplicateObjects: false,
} as const;

/** A list longer than this is sent piece by piece, so that it is not in memory twice. */
const pieceBytes = 256 * 1024;

/** Writes what a verb came to in the form the client asked for. */
export function respond(outcome: Outcome, target: Target, context: RequestContext, form: ResponseForm): ApiResponse {
  if (outcome.type === "Status") return valueResponse(outcome.code, outcome.status, context, form);
  const { served, code } = outcome;
  switch (form.transform) {
    case "Table": {
      const { resourceVersion = "" } = served.object.metadata;
      return valueResponse(code, table([served], { resourceVersion }, target, context, form), context, form);
    }
    case "PartialObjectMetadata":
      return valueResponse(code, partialMetadata(served.object, form.transformVersion), context, form);
    case "PartialObjectMetadataList":
      throw notTransformable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(target)})`);
    default:
      if (form.encoding === "json" && !wantsIndent(context))
        return { ...bytesResponse(code, "application/json", served.bytes), isLine: true };
      return valueResponse(code, served.object, context, form);
  }
}

/** Writes a list in the form the client asked for. */
export function respondList(listing: Listing, target: Target, context: RequestContext, form: ResponseForm): ApiResponse {
  const { items, metadata } = listing;
  if (form.transform === "Table") return valueResponse(200, table(items, metadata, target, context, form), context, form);
  if (form.transform === "PartialObjectMetadataList") {
    return valueResponse(200, partialMetadataList(objectsOf(listing), metadata, form.transformVersion), context, form);
  }
  if (form.transform === "PartialObjectMetadata") {
    throw notTransformable(`you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(target)}List)`);
  }
  if (form.encoding === "json" && !wantsIndent(context)) return listBytes(listing, target);
  const text = Buffer.concat(listPieces(listing, target)).toString("utf8");
  return valueResponse(200, JSON.parse(text), context, form);
}

function isScale({ version, subresource }: Target): boolean {
  return subresource !== undefined && version.subresources[subresource]?.type === "Scale";
}

function notTransformable(message: string): ApiError {
  return refusal("NotAcceptable", message);
}

/** The Go type that holds an object upstream, which messages mention. */
function goTypeOf({ kind }: Target): string {
  return kind.isCustom ? "*unstructured.Unstructured" : `*${internalPackage(kind)}.${kind.kind}`;
}

function table(
  items: readonly ServedObject[],
  metadata: ListMeta,
  target: Target,
  { query, clock }: RequestContext,
  { transformVersion: tableVersion }: ResponseForm,
): unknown {
  const options = {
    version: isScale(target) ? { columns: scaleColumns } : target.version,
    tableVersion,
    include: includeObjectOf(query),
    nowMs: clock.now(),
  };
  return toTable(
    items.map(({ object }) => object),
    metadata,
    options,
  );
}

/** Writes any value; indented for people, who look at it with a browser or curl. */
export function valueResponse(
  code: number,
  value: unknown,
  context: Pick<RequestContext, "query" | "headers">,
  { encoding }: Pick<ResponseForm, "encoding">,
): ApiResponse {
  if (encoding === "yaml") return bytesResponse(code, "application/yaml", encoder.encode(stringifyYaml(value, yamlStyle)));
  if (!wantsIndent(context)) return jsonResponse(code, value);
  return indentedResponse(code, value);
}

function wantsIndent({ query, headers }: Pick<RequestContext, "query" | "headers">): boolean {
  const pretty = query.get("pretty");
  if (pretty !== null) return pretty !== "0" && pretty !== "false";
  const agent = headers["user-agent"] ?? "";
  return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
}

function listBytes(listing: Listing, target: Target): ApiResponse {
  const pieces = listPieces(listing, target);
  const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  if (size <= pieceBytes) return bytesResponse(200, "application/json", Buffer.concat(pieces, size));
  return {
    status: 200,
    headers: { "cache-control": "no-cache, private", "content-type": "application/json" },
    body: inLargePieces(pieces),
  };
}

/** A list is the bytes of its items; those of built-in kinds do not say their type, which the list says for them. */
function listPieces({ items, metadata }: Listing, { kind, version }: Target): readonly Uint8Array[] {
  const apiVersion = formatApiVersion({ group: kind.group, version: version.version });
  // A list of custom objects says, too, that it does not go on.
  const shown = kind.isCustom ? { continue: "", ...metadata } : metadata;
  const head = stringifyJson({ kind: kind.listKind, apiVersion, metadata: shown, items: [] }).slice(0, -2);
  const typeBytes = kind.isCustom
    ? 0
    : Buffer.byteLength(`{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
  const opening = typeBytes === 0 ? "" : "{";
  const first = encoder.encode(opening);
  const separator = encoder.encode(`,${opening}`);
  const pieces: Uint8Array[] = [encoder.encode(head)];
  items.forEach((item, index) => {
    pieces.push(index === 0 ? first : separator, item.bytes.subarray(typeBytes));
  });
  pieces.push(encoder.encode("]}\n"));
  return pieces;
}

async function* inLargePieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    batch.push(piece);
    size += piece.byteLength;
    if (size < pieceBytes) continue;
    yield Buffer.concat(batch, size);
    batch = [];
    size = 0;
  }
  yield Buffer.concat(batch, size);
}

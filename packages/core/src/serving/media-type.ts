import { RecentMap } from "../collection/recent-map.ts";
import { refusal } from "../error/api-error.ts";

/** The form in which a client wants its answer. */
export interface ResponseForm {
  readonly encoding: Encoding;
  /** What to make of the object first; undefined for the object as it is. */
  readonly transform: Transform | undefined;
  /** The version of what is made of it. */
  readonly transformVersion: string;
}

/** JSON, of the object as it is. */
const plainJson: ResponseForm = { encoding: "json", transform: undefined, transformVersion: "v1" };

/** How an answer is written. */
export type Encoding = "json" | "yaml";

/** What an answer can be turned into. */
export type Transform = "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList" | "APIGroupDiscoveryList";

/** A media type with its parameters, in lower case but for parameter values. */
export interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const encodings: Readonly<Record<string, Encoding>> = {
  "application/json": "json",
  "application/*": "json",
  "*/*": "json",
  "application/yaml": "yaml",
};

const transformGroups: Readonly<Record<Transform, string>> = {
  Table: "meta.k8s.io",
  PartialObjectMetadata: "meta.k8s.io",
  PartialObjectMetadataList: "meta.k8s.io",
  APIGroupDiscoveryList: "apidiscovery.k8s.io",
};

const transformVersions: Readonly<Record<string, readonly string[]>> = {
  "meta.k8s.io": ["v1", "v1beta1"],
  "apidiscovery.k8s.io": ["v2"],
};

/**
 * Picks the first form a client accepts among those this answer has, by quality and then by order.
 * Clauses that ask for something unknown are passed over; when none is left the request is refused, with the types that are `offered`.
 */
export function negotiate(
  accept: string | undefined,
  transforms: readonly Transform[],
  allowed: readonly Encoding[] = ["json", "yaml"],
  offered: readonly string[] = acceptable,
): ResponseForm {
  if (accept === undefined || accept === "application/json" || accept.trim() === "") return plainJson;
  for (const clause of byQuality(accept)) {
    const form = formOf(clause, transforms);
    if (form !== undefined && allowed.includes(form.encoding)) return form;
  }
  throw refusal("NotAcceptable", `only the following media types are accepted: ${offered.join(", ")}`);
}

/** What the message of a 406 lists. */
export const acceptable: readonly string[] = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/**
 * 406 unless a path can offer something of what a client accepts, whatever comes of it. As on the real server this is looked at before anything
 * else, and knows no wildcards but one.
 */
export function refuseUnoffered(accept: string | undefined, offered: readonly string[]): void {
  if (accept !== undefined && offered.includes(accept)) return;
  const asked = (accept ?? "").trim() === "" ? ["*/*"] : (accept ?? "").split(",").map((clause) => (clause.split(";")[0] ?? "").trim());
  if (asked.some((type) => type === "*/*" || offered.includes(type))) return;
  throw refusal("NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${offered.join(", ")}`, {});
}

function formOf({ type, parameters }: MediaType, transforms: readonly Transform[]): ResponseForm | undefined {
  const encoding = encodings[type];
  if (encoding === undefined) return undefined;
  const { as, g: group, v: version } = parameters;
  if (as === undefined) return { ...plainJson, encoding };
  const transform = transforms.find((each) => each === as);
  if (transform === undefined || group !== transformGroups[transform]) return undefined;
  if (version === undefined || transformVersions[group]?.includes(version) !== true) return undefined;
  return { encoding, transform, transformVersion: version };
}

/** What was asked for lately: a client sends the same header again and again. */
const knownHeaders = new RecentMap<string, readonly MediaType[]>(64);

/** What an `Accept` header asks for, the most wanted first. */
export function byQuality(accept: string): readonly MediaType[] {
  let types = knownHeaders.get(accept);
  if (types === undefined) knownHeaders.set(accept, (types = sortedTypes(accept)));
  return types;
}

function sortedTypes(accept: string): readonly MediaType[] {
  return accept
    .split(",")
    .map(parseMediaType)
    .map((media) => ({ media, quality: qualityOf(media) }))
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ media }) => media);
}

/** Like the real server's library, it takes what is no number for 1, and 0 for the least that is wanted. */
function qualityOf({ parameters }: MediaType): number {
  const quality = Number(parameters["q"] ?? 1);
  return Number.isNaN(quality) ? 1 : quality;
}

/** Reads `application/json;as=Table;v=v1;g=meta.k8s.io`. */
export function parseMediaType(text: string): MediaType {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters: Record<string, string> = Object.create(null);
  for (const part of rest) {
    const [name = "", value = ""] = part.split("=", 2);
    parameters[name.trim().toLowerCase()] = value.trim().replaceAll('"', "");
  }
  return { type: type.toLowerCase(), parameters };
}

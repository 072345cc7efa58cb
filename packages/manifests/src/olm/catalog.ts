import { arrayAt, isJsonArray, isJsonObject, jsonOf, objectAt, textAt } from "@kaji/core";
import type { JsonArray, JsonObject } from "@kaji/core";
import { parseAllDocuments } from "yaml";
import type { ManifestFiles } from "../manifest-files.ts";
import { yamlStream } from "../yaml-stream.ts";
import type { OlmFinding } from "./olm-finding.ts";
import { readBundle } from "./read-bundle.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** The blobs of a file-based catalog: packages, their channels, and the bundles in these. */
export type CatalogBlobs = readonly JsonObject[];

/** A catalog with one bundle more, or with what the bundle is now in the place of what it was. Every other version stays as it is. */
export function withBundle(catalog: CatalogBlobs, files: ManifestFiles, image: string): CatalogBlobs {
  const bundle = readBundle(files);
  if (bundle === undefined) throw new TypeError("the bundle has no ClusterServiceVersion");
  const name = annotation(bundle, "package");
  const channels = annotation(bundle, "channels")
    .split(",")
    .map((channel) => channel.trim())
    .filter((channel) => channel !== "");
  const version = textAt(bundle.version.object, "metadata", "name");
  const others = catalog.filter((blob) => !isThisPackage(blob, name) && !isThisBundle(blob, version));
  const isOwnChannel = (blob: JsonObject): boolean => blob["schema"] === "olm.channel" && blob["package"] === name;
  const known = others.filter(isOwnChannel);
  const added = channels.filter((channel) => !known.some((blob) => textAt(blob, "name") === channel));
  return [
    packageBlob(bundle, name),
    ...known
      .map((blob) => (channels.includes(textAt(blob, "name")) ? withEntry(blob, entryOf(bundle)) : withoutEntry(blob, version)))
      .filter(hasEntries),
    ...added.map((channel) => withEntry({ schema: "olm.channel", package: name, name: channel }, entryOf(bundle))),
    ...others.filter((blob) => !isOwnChannel(blob)),
    bundleBlob(bundle, name, image),
  ];
}

/** Reads a catalog; what is no YAML is among the findings. */
export function readCatalog(text: string, place: string, findings: OlmFinding[] = []): CatalogBlobs {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) findings.push({ level: "Error", place, text: error.message.split("\n", 1)[0] ?? "" });
    const value: unknown = error === undefined ? document.toJS() : undefined;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [jsonOf(value)] : [];
  });
}

/** The catalog as text, and a Dockerfile that makes an image of it which serves it. */
export function catalogFiles(catalog: CatalogBlobs): ManifestFiles {
  const [name = ""] = catalog.filter(({ schema }) => schema === "olm.package").map((blob) => textAt(blob, "name"));
  return new Map([
    [catalogPath(name), yamlStream(catalog)],
    ["Dockerfile", dockerfile],
  ]);
}

/** Where the catalog of a package is, in its folder. */
export function catalogPath(name: string): string {
  return `configs/${name}/catalog.yaml`;
}

/** The package that a bundle is of; empty where it does not say. */
export function packageOf(files: ManifestFiles): string {
  const bundle = readBundle(files);
  return bundle === undefined ? "" : annotation(bundle, "package");
}

const dockerfile = `FROM quay.io/operator-framework/opm:v1.65.0

ENTRYPOINT ["/bin/opm"]
CMD ["serve", "/configs", "--cache-dir=/tmp/cache"]

COPY configs /configs
RUN ["/bin/opm", "serve", "/configs", "--cache-dir=/tmp/cache", "--cache-only"]

LABEL operators.operatorframework.io.index.configs.v1=/configs
`;

function annotation({ annotations }: ReadBundle, name: string): string {
  return textAt(annotations, `operators.operatorframework.io.bundle.${name}.v1`);
}

function isThisPackage({ schema, name }: JsonObject, wanted: string): boolean {
  return schema === "olm.package" && name === wanted;
}

function isThisBundle({ schema, name }: JsonObject, wanted: string): boolean {
  return schema === "olm.bundle" && name === wanted;
}

function packageBlob(bundle: ReadBundle, name: string): JsonObject {
  const { object } = bundle.version;
  const [icon] = arrayAt(object, "spec", "icon");
  const description = textAt(object, "spec", "description");
  const defaultChannel = annotation(bundle, "channel.default");
  return {
    schema: "olm.package",
    name,
    defaultChannel,
    ...(description === "" ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
  };
}

/** A version in a channel: what it is an upgrade of, and what an upgrade may leave out. */
function entryOf({ version: { object } }: ReadBundle): JsonObject {
  const [replaces, skips] = [textAt(object, "spec", "replaces"), arrayAt(object, "spec", "skips")];
  const skipRange = textAt(object, "metadata", "annotations", "olm.skipRange");
  return {
    name: textAt(object, "metadata", "name"),
    ...(replaces === "" ? {} : { replaces }),
    ...(skips.length === 0 ? {} : { skips }),
    ...(skipRange === "" ? {} : { skipRange }),
  };
}

function withEntry(blob: JsonObject, entry: JsonObject): JsonObject {
  const entries = arrayAt(blob, "entries").filter((each) => textAt(each, "name") !== entry["name"]);
  return { ...blob, entries: [...entries, entry] };
}

/** A version that is not in a channel any more. */
function withoutEntry(blob: JsonObject, version: string): JsonObject {
  return { ...blob, entries: arrayAt(blob, "entries").filter((each) => textAt(each, "name") !== version) };
}

function hasEntries(blob: JsonObject): boolean {
  return arrayAt(blob, "entries").length > 0;
}

function bundleBlob({ version: { object } }: ReadBundle, name: string, image: string): JsonObject {
  const owned = arrayAt(object, "spec", "customresourcedefinitions", "owned");
  const properties: JsonArray = [
    ...owned.map((each) => {
      const [, ...group] = textAt(each, "name").split(".");
      return { type: "olm.gvk", value: { group: group.join("."), kind: textAt(each, "kind"), version: textAt(each, "version") } };
    }),
    { type: "olm.package", value: { packageName: name, version: textAt(object, "spec", "version") } },
    { type: "olm.csv.metadata", value: metadataOf(object) },
  ];
  const related = arrayAt(object, "spec", "relatedImages").filter(isJsonObject);
  return {
    schema: "olm.bundle",
    name: textAt(object, "metadata", "name"),
    package: name,
    image,
    properties,
    relatedImages: [{ name: "bundle", image }, ...related],
  };
}

const described = [
  "description",
  "displayName",
  "installModes",
  "keywords",
  "links",
  "maintainers",
  "maturity",
  "minKubeVersion",
  "provider",
] as const;

/** What people see of a version before they install it. */
function metadataOf(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const present = described.flatMap((name) => {
    const value = spec[name];
    return value === undefined || (isJsonArray(value) && value.length === 0) ? [] : [[name, value] as const];
  });
  return {
    annotations: objectAt(object, "metadata", "annotations"),
    apiServiceDefinitions: {},
    crdDescriptions: objectAt(spec, "customresourcedefinitions"),
    ...Object.fromEntries(present),
  };
}

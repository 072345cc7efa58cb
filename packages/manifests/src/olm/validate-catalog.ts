import { arrayAt, dns1123LabelErrors, textAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { CatalogBlobs } from "./catalog.ts";
import { isImageReference } from "../image-reference.ts";
import type { OlmFinding } from "./olm-finding.ts";
import { isSemver } from "./semver.ts";
import { upgradeProblems } from "./upgrade-graph.ts";

/** What there is against a file-based catalog, by the rules by which `opm` takes or refuses one. */
export function validateCatalog(catalog: CatalogBlobs): readonly OlmFinding[] {
  const of = (schema: string): readonly JsonObject[] => catalog.filter((blob) => blob["schema"] === schema);
  const [packages, channels, bundles] = [of("olm.package"), of("olm.channel"), of("olm.bundle")];
  return [
    ...packages.flatMap((each) => packageFindings(each, packages, channels)),
    ...channels.flatMap((each) => channelFindings(each, packages, channels, bundles)),
    ...bundles.flatMap((each) => bundleFindings(each, channels, bundles)),
  ].map(([place, text]) => ({ level: "Error", place, text }));
}

type Problems = readonly (readonly [place: string, text: string])[];

function packageFindings(blob: JsonObject, packages: CatalogBlobs, channels: CatalogBlobs): Problems {
  const name = textAt(blob, "name");
  const place = `package ${name}`;
  const own = channels.filter((channel) => textAt(channel, "package") === name).map((channel) => textAt(channel, "name"));
  const preset = textAt(blob, "defaultChannel");
  return [
    ...dns1123LabelErrors(name).map((text) => [place, text] as const),
    ...(packages.some((other) => other !== blob && textAt(other, "name") === name) ? [[place, "is there twice"] as const] : []),
    ...(own.length === 0 ? [[place, "must have a channel"] as const] : []),
    ...(own.includes(preset)
      ? []
      : [[place, `has ${JSON.stringify(preset)} as its default channel, which is none of its channels`] as const]),
  ];
}

function channelFindings(blob: JsonObject, packages: CatalogBlobs, channels: CatalogBlobs, bundles: CatalogBlobs): Problems {
  const [name, owner] = [textAt(blob, "name"), textAt(blob, "package")];
  const place = `channel ${name}`;
  const entries = arrayAt(blob, "entries").map((entry) => ({
    name: textAt(entry, "name"),
    replaces: textAt(entry, "replaces"),
    skips: arrayAt(entry, "skips").map(String),
  }));
  const isSame = (other: JsonObject): boolean => textAt(other, "name") === name && textAt(other, "package") === owner;
  const missing = entries.filter(
    (entry) => !bundles.some((each) => textAt(each, "name") === entry.name && textAt(each, "package") === owner),
  );
  return [
    ...(name === "" ? [[place, "must have a name"] as const] : []),
    ...(packages.some((each) => textAt(each, "name") === owner)
      ? []
      : [[place, `is of the package ${JSON.stringify(owner)}, which is not there`] as const]),
    ...(channels.some((other) => other !== blob && isSame(other)) ? [[place, "is there twice"] as const] : []),
    ...missing.map((entry) => [place, `has ${entry.name}, of which there is no bundle`] as const),
    ...upgradeProblems(entries).map((text) => [place, text] as const),
  ];
}

function bundleFindings(blob: JsonObject, channels: CatalogBlobs, bundles: CatalogBlobs): Problems {
  const [name, owner, image] = [textAt(blob, "name"), textAt(blob, "package"), textAt(blob, "image")];
  const place = `bundle ${name}`;
  const version = versionOf(blob);
  const isListed = channels.some(
    (channel) => textAt(channel, "package") === owner && arrayAt(channel, "entries").some((each) => textAt(each, "name") === name),
  );
  const siblings = bundles.filter((other) => other !== blob && textAt(other, "package") === owner);
  const images = [image, ...arrayAt(blob, "relatedImages").map((each) => textAt(each, "image"))].filter((each) => each !== "");
  return [
    ...(isListed ? [] : [[place, "is in no channel"] as const]),
    ...(siblings.some((other) => textAt(other, "name") === name) ? [[place, "is there twice"] as const] : []),
    ...(siblings.some((other) => versionOf(other) === version && textAt(other, "name") !== name)
      ? [[place, `has the version ${version} of another`] as const]
      : []),
    ...(version !== undefined && isSemver(version)
      ? []
      : [[place, "must have one property olm.package, of its package and with a version such as 1.2.3"] as const]),
    ...(image === "" ? [[place, "must have an image"] as const] : []),
    ...images
      .filter((each) => !isImageReference(each))
      .map((each) => [place, `${JSON.stringify(each)} is not the name of an image`] as const),
  ];
}

/** The version of a bundle; undefined where it has not just one, or is of another package. */
function versionOf(blob: JsonObject): string | undefined {
  const [property, ...others] = arrayAt(blob, "properties").filter((each) => textAt(each, "type") === "olm.package");
  if (property === undefined || others.length > 0 || textAt(property, "value", "packageName") !== textAt(blob, "package")) return undefined;
  return textAt(property, "value", "version");
}

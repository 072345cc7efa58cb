import { gzipSync } from "node:zlib";
import type { ManifestFiles } from "../manifest-files.ts";
import { clusterServiceVersionFindings } from "./csv-rules.ts";
import { ownedDefinitionFindings } from "./definition-rules.ts";
import { objectFindings } from "./object-rules.ts";
import type { OlmFinding } from "./olm-finding.ts";
import { practiceFindings } from "./practice-rules.ts";
import { readBundle } from "./read-bundle.ts";
import { removedApiFindings } from "./removed-api-rules.ts";

/**
 * What there is against a bundle, by the rules of the Operator Framework's own validators (operator-framework/api: those of versions, definitions, bundles, objects, removed
 * APIs, OperatorHub and good practices). Whether its CustomResourceDefinitions are valid is seen when they are defined.
 */
export function validateBundle(files: ManifestFiles): readonly OlmFinding[] {
  const broken: OlmFinding[] = [];
  const bundle = readBundle(files, broken);
  if (bundle === undefined) return broken;
  return [
    ...broken,
    ...clusterServiceVersionFindings(bundle.version),
    ...ownedDefinitionFindings(bundle),
    ...objectFindings(bundle),
    ...removedApiFindings(bundle),
    ...practiceFindings(bundle),
    ...sizeFindings(files),
  ];
}

/** A bundle is unpacked through a ConfigMap, each file compressed and in base64. */
const maxBytes = 2 ** 20;

function sizeFindings(files: ManifestFiles): readonly OlmFinding[] {
  let bytes = 0;
  for (const text of files.values()) bytes += gzipSync(text).toString("base64").length;
  if (bytes <= maxBytes * 0.85) return [];
  const text = `has ${bytes} bytes when compressed, of ${maxBytes} at most`;
  return [{ level: bytes > maxBytes ? "Error" : "Warning", place: "bundle", text }];
}

import type { CollectionTag, ScalarTag, TagId, Tags } from "yaml";

type Tag = Tags[number];

/**
 * The scalars of YAML 1.1 as Kubernetes reads them, which is as JSON has values: dates and times of day (`2024-01-01`, `22:22`) are text, and so are numbers that
 * are too large; binaries are what is in them; a number that is none cannot be.
 */
export function kubernetesScalars(tags: Tags): Tags {
  return [octalScalar, ...tags.filter((tag) => !isTime(tag)).map((tag) => (isScalarTag(tag) ? asKubernetes(tag) : tag))];
}

/** Such as `0o17`, which came with YAML 1.2. */
export const octalScalar: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:int",
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => (text.startsWith("-") ? -1n : 1n) * BigInt(text.replaceAll(/[-+_]/g, "")),
};

function isTime(tag: Tag): boolean {
  return isScalarTag(tag) && (tag.format === "TIME" || tag.tag === "tag:yaml.org,2002:timestamp");
}

function asKubernetes(tag: ScalarTag): ScalarTag {
  if (tag.tag === "tag:yaml.org,2002:binary") return { tag: tag.tag, resolve: (text) => Buffer.from(text, "base64").toString() };
  if (tag.tag !== "tag:yaml.org,2002:float") return tag;
  return {
    ...tag,
    resolve(text, onError, options) {
      const value = tag.resolve(text, onError, options);
      if (typeof value !== "number" || Number.isFinite(value)) return value;
      if (tag.format === "EXP") return text;
      onError(`json: unsupported value: ${shown(value)}`);
      return text;
    },
  };
}

/** As Go writes it. */
function shown(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function isScalarTag(tag: TagId | CollectionTag | ScalarTag): tag is ScalarTag {
  return typeof tag === "object" && tag.collection === undefined;
}

import { badRequest, formatTime, randomBelow, structuralEqual } from "@kaji/core";
import type { DynamicObject, ObjectMeta, Random } from "@kaji/core";
import type { GenerationRule } from "../strategy.ts";

/** The letters of generated names: no vowels, so no words come about, and nothing that looks like something else. */
const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
/** A label's limit of 63 less the suffix. */
const longestNameBase = 58;

/** An object with other metadata. */
export function withMetadata(object: DynamicObject, changes: Partial<ObjectMeta>): DynamicObject {
  return { ...object, metadata: { ...object.metadata, ...changes } };
}

/** An object without some of its metadata. */
export function withoutMetadata(object: DynamicObject, ...fields: readonly Exclude<keyof ObjectMeta, "name">[]): DynamicObject {
  const metadata: { -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] } = { ...object.metadata };
  for (const field of fields) delete metadata[field];
  return { ...object, metadata };
}

/** Puts an object into the namespace of its path, if any; one that names another namespace is refused. */
export function inNamespace(object: DynamicObject, namespace: string | undefined): DynamicObject {
  const given = object.metadata.namespace ?? "";
  if (namespace === undefined) return given === "" ? object : withoutMetadata(object, "namespace");
  if (given === namespace) return object;
  if (given !== "") throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  return withMetadata(object, { namespace });
}

/** Drops what a client claims of a new object that only the server says: its identity, birth and end. */
export function withoutSystemMetadata(object: DynamicObject): DynamicObject {
  return withoutMetadata(object, "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");
}

/** Gives a new object its identity and time of birth. */
export function asNew(object: DynamicObject, nowMs: number, random: Random): DynamicObject {
  return withMetadata(object, { uid: random.uuid(), creationTimestamp: formatTime(nowMs) });
}

/** A name from the prefix an object asks for, when it has none of its own. Without both it is empty, for validation to refuse. */
export function withGeneratedName(object: DynamicObject, random: Random): DynamicObject {
  const { name, generateName } = object.metadata;
  if ((name ?? "") !== "") return object;
  if ((generateName ?? "") === "") return withMetadata(object, { name: "" });
  return withMetadata(object, { name: generatedName(generateName ?? "", random) });
}

/** A name that begins with a prefix, as far as there is room, and is hardly taken. */
export function generatedName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: suffixLength }, () => nameAlphabet[randomBelow(random, nameAlphabet.length)]).join("");
  return prefix.slice(0, longestNameBase) + suffix;
}

/** Keeps what an update may not change: identity, birth, and the progress of a deletion. What it claims anew is left for validation to refuse. */
export function keepSystemMetadata(object: DynamicObject, old: DynamicObject): DynamicObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } = old.metadata;
  const { generation: _generation, selfLink: _link, ...given } = object.metadata;
  return {
    ...object,
    metadata: {
      ...given,
      ...(uid === undefined || (given.uid ?? "") !== "" ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(deletionGracePeriodSeconds === undefined || given.deletionGracePeriodSeconds !== undefined ? {} : { deletionGracePeriodSeconds }),
      ...(generation === undefined ? {} : { generation }),
    },
  };
}

/** The first generation of a new object, for kinds that count them; what others say of theirs means nothing, and is kept. */
export function firstGeneration(object: DynamicObject, rule: GenerationRule): DynamicObject {
  return rule === "none" ? object : withMetadata(object, { generation: 1 });
}

/** Which revision an object replaces, and its next generation when what the kind counts has changed. */
export function followingMetadata(object: DynamicObject, old: DynamicObject, rule: GenerationRule): Partial<ObjectMeta> {
  const { resourceVersion, generation = 0 } = old.metadata;
  return {
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(rule === "none" || sameIntent(object, old, rule) ? {} : { generation: generation + 1 }),
  };
}

function sameIntent(object: DynamicObject, old: DynamicObject, rule: GenerationRule): boolean {
  if (rule === "spec") return structuralEqual(object["spec"], old["spec"]);
  const ignored = new Set(["apiVersion", "kind", "metadata", ...(rule === "all-but-metadata-and-status" ? ["status"] : [])]);
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const field of fields) {
    if (!ignored.has(field) && !structuralEqual(object[field], old[field])) return false;
  }
  return true;
}

import { createHash } from "node:crypto";
import type { ApplyConfiguration } from "@kaji/client";
import { RecentMap, isJsonObject, jsonOf, mapFields, stringifyJson } from "@kaji/core";
import type { JsonObject, KubeObject } from "@kaji/core";
import { compareApplied } from "./applied-fields.ts";
import { differingField } from "./differing-field.ts";
import { appliedFields, recordedFields } from "./applied-record.ts";

/** The size of the memory for objects that the server stores in another form than they were applied. */
const longestMemory = 4096;

/**
 * Tells of objects whether they are as a manager wants them: by the server's record of the fields that it applied, and by their values. So nothing needs to be remembered over a restart, but what
 * the server writes in its own way, which is applied once in the life of a program.
 */
export class AppliedObjects {
  readonly #fieldManager: string;
  /** By uid, the signature of what was applied and what the server recorded of it. */
  readonly #settled = new RecentMap<string, string>(longestMemory);

  constructor(fieldManager: string) {
    this.#fieldManager = fieldManager;
  }

  /** Whether an object is as it is wanted. */
  isApplied(wanted: KubeConfiguration, known: KubeObject): boolean {
    const fields = this.fieldsOf(known);
    if (fields === undefined) return false;
    if (isAsStated(wanted, fields, known)) return true;
    return this.#settled.get(known.metadata.uid ?? "") === signature(wanted, fields);
  }

  /** The field for which an object is not as it is wanted; undefined if there is none, or the manager has applied nothing of it. */
  differingField(wanted: KubeConfiguration, known: KubeObject): string | undefined {
    const fields = this.fieldsOf(known);
    return fields === undefined ? undefined : differingField(recordedFields(wanted), fields, shownTo(wanted, known));
  }

  /** Remembers what the server made of what was applied, where it does not look like it. */
  settle(wanted: KubeConfiguration, response: KubeObject): void {
    const { uid = "" } = response.metadata;
    const fields = this.fieldsOf(response);
    if (fields === undefined || isAsStated(wanted, fields, response)) return;
    this.#settled.set(uid, signature(wanted, fields));
  }

  /** The fields that the manager applied, as the server records them; undefined if it never did. */
  fieldsOf(object: KubeObject): JsonObject | undefined {
    return appliedFields(object, this.#fieldManager);
  }
}

type KubeConfiguration = ApplyConfiguration<KubeObject>;

function isAsStated(wanted: KubeConfiguration, fields: JsonObject, live: KubeObject): boolean {
  return compareApplied(recordedFields(wanted), fields, shownTo(wanted, live)) === "Same";
}

/** An object as whoever wants it sees it. */
function shownTo(wanted: KubeConfiguration, live: KubeObject): JsonObject {
  return "stringData" in wanted ? withText(jsonOf(live)) : jsonOf(live);
}

/** A Secret with its text as whoever wrote it said it, which the server does not show: it has it in `data`. */
function withText(live: JsonObject): JsonObject {
  const { apiVersion, kind, data } = live;
  if (apiVersion !== "v1" || kind !== "Secret" || !isJsonObject(data)) return live;
  return { ...live, stringData: mapFields(data, (value) => (typeof value === "string" ? Buffer.from(value, "base64").toString() : value)) };
}

/** What was applied, and what the server recorded of it. */
function signature(wanted: KubeConfiguration, fields: JsonObject): string {
  return createHash("sha1")
    .update(stringifyJson([wanted, fields]))
    .digest("base64");
}

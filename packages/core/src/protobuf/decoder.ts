import { formatApiVersion, parseApiVersion } from "../object/group-version.ts";
import type { GroupVersion, GroupVersionKind } from "../object/group-version.ts";
import type { JsonObject } from "../json/json.ts";
import { parseEnvelope } from "./envelope.ts";
import { decodeMessage } from "./message.ts";
import { PlanCompiler } from "./plan.ts";
import { ProtobufError, ProtobufReader } from "./reader.ts";
import type { ProtobufTable } from "./table.ts";

/**
 * Turns protobuf bodies of built-in kinds into the JSON objects that Go would write after reading them: a zero value appears exactly
 * where Go writes one. Malformed bytes are refused with a `ProtobufError`.
 */
export class ProtobufDecoder {
  readonly #table: ProtobufTable;
  readonly #plans: PlanCompiler;

  constructor(table: ProtobufTable) {
    this.#table = table;
    this.#plans = new PlanCompiler(table);
  }

  /** Decodes a request body, envelope included. What the envelope does not say about the kind is taken from `expected`. */
  decode(body: Uint8Array, expected?: GroupVersionKind): JsonObject {
    const { apiVersion, kind, raw } = parseEnvelope(body);
    const version = apiVersion === "" ? expected : parseGroupVersion(apiVersion);
    const type = { group: version?.group ?? "", version: version?.version ?? "", kind: kind === "" ? (expected?.kind ?? "") : kind };
    const struct = this.#table.structOf(type);
    if (struct === undefined) {
      throw new ProtobufError(`no kind "${type.kind}" is registered for version "${formatApiVersion(type)}"`, 0);
    }
    const plan = this.#plans.struct(struct);
    const object = plan.hasTypeMeta ? { kind: type.kind, apiVersion: formatApiVersion(type) } : {};
    return decodeMessage(new ProtobufReader(raw, raw.byteOffset - body.byteOffset), plan, object);
  }
}

function parseGroupVersion(apiVersion: string): GroupVersion {
  try {
    return parseApiVersion(apiVersion);
  } catch (cause) {
    throw new ProtobufError(`the envelope has the apiVersion ${JSON.stringify(apiVersion)}`, 0, { cause });
  }
}

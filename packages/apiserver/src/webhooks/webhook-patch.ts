import { PatchError, applyJsonPatch, isJsonArray, jsonOf, parseJson } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { jsonTypeOf } from "../request/body-type.ts";
import { goSyntaxError } from "../request/go-syntax-error.ts";
import type { AdmissionVerdict } from "./admission-review.ts";
import { WebhookFailure, internalError } from "./webhook-refusal.ts";

/** The object after a webhook's patch, as its schema reads it; undefined when the webhook wants nothing changed. */
export function patchedByWebhook(
  webhook: string,
  { patch, patchType }: AdmissionVerdict,
  object: DynamicObject | undefined,
  schema: ObjectSchema,
): DynamicObject | undefined {
  if (patch === "") return undefined;
  const operations = decodedPatch(webhook, patch);
  if (operations === null || operations.length === 0) return undefined;
  if (object === undefined) {
    throw internalError(`admission webhook ${quote(webhook)} attempted to modify the object, which is not supported for this operation`);
  }
  if (patchType !== "JSONPatch") throw new WebhookFailure(webhook, `unsupported patch type ${quote(patchType)}`);
  try {
    return schema.decode(applyJsonPatch(jsonOf(object), operations)).object;
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

function decodedPatch(webhook: string, base64: string): readonly JsonValue[] | null {
  const bytes = Buffer.from(base64, "base64");
  const undecodable = (why: string): WebhookFailure =>
    new WebhookFailure(webhook, `received undecodable patch in webhook response: ${why}`);
  const problem = goSyntaxError(bytes);
  if (problem !== undefined) throw undecodable(problem);
  const value = parseJson(bytes.toString("utf8"));
  if (value === null || isJsonArray(value)) return value;
  throw undecodable(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type jsonpatch.Patch`);
}

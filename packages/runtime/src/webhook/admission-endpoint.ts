import { createJsonPatch, invalid, isJsonArray, isJsonObject, refusal } from "@kaji/core";
import type { FieldError, JsonObject, JsonPatchOperation, JsonValue, KubeObject, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { LiveReads } from "../declare/reconcile-context.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import type { AnyWebhookCache } from "./webhook-cache.ts";
import { admissionName, admissionPath, kindText } from "./webhook-path.ts";
import type { AdmissionContext, FieldErrors, ObjectOperation, WebhookOptions, Writable, WriteContext } from "./webhook-options.ts";

/** One thing that an API server can ask of a webhook. */
export interface AdmissionEndpoint {
  readonly type: "Mutating" | "Validating";
  /** As configurations and messages have it: `validate.bar.v1.example.com`. */
  readonly name: string;
  /** `/validate-example-com-v1-bar`. */
  readonly path: string;
  /** The writes it is for. */
  readonly operations: readonly (ObjectOperation | "DELETE")[];
  /**
   * Decides about a write. Resolves with what is to be changed of its object; rejects with an `ApiError` to refuse it, and with anything else when
   * the handler itself failed.
   */
  decide(request: AdmissionRequest, write: AnyWriteContext): Promise<readonly JsonPatchOperation[]>;
}

/** The context of a write, with reads of every kind: what a webhook may read its type has checked. */
export interface AnyWriteContext extends Omit<WriteContext, "cache" | "isServed" | "live">, AnyWebhookCache {
  readonly live: LiveReads<KubeObject>;
}

/** Changes objects on their way. */
export function mutatingEndpoint<T extends KubeObject>(
  resource: Resource<T>,
  fill: NonNullable<WebhookOptions<T>["default"]>,
  operations: readonly ObjectOperation[],
): AdmissionEndpoint {
  return {
    type: "Mutating",
    name: admissionName("mutate", resource),
    path: admissionPath("mutate", resource),
    operations,
    async decide(request, write) {
      const before = objectOf(request, "object", resource);
      const draft = copyOf(before);
      const context = contextOf<T>(request, resource, write);
      const after = (await blamingObject(resource, before, async () => fill(draft as Writable<T>, context))) ?? draft;
      if (!isJsonObject(after as JsonValue)) throw new TypeError("default must return an object, or nothing");
      return createJsonPatch(before, after as JsonObject);
    },
  };
}

/** Judges objects: what is wrong with their fields refuses the write as a whole. */
export function validatingEndpoint<T extends KubeObject>(
  resource: Resource<T>,
  { validate, validateDelete }: { [K in "validate" | "validateDelete"]: WebhookOptions<T>[K] | undefined },
  operations: readonly ObjectOperation[],
): AdmissionEndpoint {
  return {
    type: "Validating",
    name: admissionName("validate", resource),
    path: admissionPath("validate", resource),
    operations: [...(validate === undefined ? [] : operations), ...(validateDelete === undefined ? [] : (["DELETE"] as const))],
    async decide(request, write) {
      const isDeletion = request.operation === "DELETE";
      const object = objectOf(request, isDeletion ? "oldObject" : "object", resource);
      const errors = await blamingObject(resource, object, async () =>
        isDeletion
          ? validateDelete?.(typed(object, resource), write)
          : validate?.(typed(object, resource), contextOf<T>(request, resource, write)),
      );
      const found = errors === undefined ? [] : isList(errors) ? errors : [errors];
      // Types may have been stripped without being checked, as kaji dev does: `isWrong && invalidValue(…)` returns false.
      if (!found.every(isFieldError))
        throw new TypeError(
          `${isDeletion ? "validateDelete" : "validate"} must return a field error such as invalidValue(…), a list of them, or nothing`,
        );
      if (found.length > 0) throw invalid(resource, request.name || nameIn(object), found);
      return [];
    },
  };
}

/**
 * Runs a handler. Objects come as their users wrote them, and a handler that trusts their type may stumble over one that the schema of its
 * kind refuses: then that is what the user is told.
 */
async function blamingObject<R>(resource: Resource, object: JsonObject, run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    const errors = error instanceof TypeError && isDefined(resource) ? resource.validate(object) : [];
    if (errors.length === 0) throw error;
    throw invalid(resource, nameIn(object), errors);
  }
}

/** Made of plain objects alone, as JSON is: `structuredClone` looks for much more, and takes ten times as long. */
function copyOf(value: JsonObject): JsonObject;
function copyOf(value: JsonValue): JsonValue;
function copyOf(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => copyOf(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, part === undefined ? part : copyOf(part)]));
}

function contextOf<T extends KubeObject>(request: AdmissionRequest, resource: Resource<T>, write: AnyWriteContext): AdmissionContext<T> {
  if (request.operation !== "UPDATE") return { ...write, operation: "CREATE", old: undefined };
  return { ...write, operation: "UPDATE", old: typed(objectOf(request, "oldObject", resource), resource) };
}

/** The object that a request is about; refuses what the webhook is not made for, as rules that match too much send it. */
function objectOf(request: AdmissionRequest, field: "object" | "oldObject", resource: Resource): JsonObject {
  const { group, version, kind } = request.kind;
  if (group !== resource.group || version !== resource.version || kind !== resource.kind) {
    throw refusal("BadRequest", `it is for ${kindText(resource)}, not for ${kindText(request.kind)}; its rules match too much`);
  }
  const object = request[field];
  if (!isJsonObject(object)) throw refusal("BadRequest", `request.${field} is missing for the operation ${request.operation}`);
  return object;
}

/** Empty where it has none yet. */
function nameIn({ metadata }: JsonObject): string {
  return isJsonObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
}

/** Here objects get the type of their kind, which the API server vouches for. */
function typed<T extends KubeObject>(object: JsonObject, _resource: Resource<T>): DeepReadonly<T> {
  return object as DeepReadonly<T>;
}

function isList(errors: Exclude<FieldErrors, void>): errors is readonly FieldError[] {
  return Array.isArray(errors);
}

function isFieldError(error: unknown): error is FieldError {
  return typeof error === "object" && error !== null && "field" in error && "body" in error;
}

function isDefined(resource: Resource): resource is Resource & { validate(object: unknown): readonly FieldError[] } {
  return "validate" in resource && typeof resource.validate === "function";
}

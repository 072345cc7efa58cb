import { alreadyExists, invalid, isReason, refusal } from "@kaji/core";
import type { ApiError, DynamicObject } from "@kaji/core";
import { mutateAll, validateAll } from "../admission.ts";
import { decodeBody } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { writeOptions } from "../request/write-options.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { asNew, firstGeneration, inNamespace, withGeneratedName } from "./object-meta.ts";
import { validateMetadata } from "./object-meta-validation.ts";
import { withReservation } from "./reservation.ts";
import { strategyContext } from "./stored-objects.ts";
import { objectOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { expectedType } from "./target.ts";
import type { Target } from "./target.ts";

/** How often another name is tried when a generated one is taken. */
const generatedNameTries = 8;

/** POST: makes a new object. */
export async function create(registry: Registry, target: Target, context: RequestContext): Promise<Outcome> {
  const options = writeOptions("CreateOptions", context.query, context.headers["user-agent"]);
  const sent = decodeBody(context.body, context.headers["content-type"], expectedType(target), { ...options, warn: context.warn });
  const { kind } = target;
  const { strategy, answer } = target.version;
  if (answer !== undefined) return objectOutcome(201, await answer(sent, strategyContext(registry, context)));
  const complete = (object: DynamicObject): DynamicObject => {
    const defaulted = strategy.default?.(object) ?? object;
    return registry.fieldManager(kind).update({ next: defaulted, ...writeBy(options.fieldManager, target, context.clock.now()) });
  };
  return createObject(registry, target, context, { sent, options, complete });
}

/** A new object on its way in: by POST, or by PUT or apply on a name that is free. */
export interface Creation {
  readonly sent: DynamicObject;
  readonly options: WriteOptions;
  /** Fills in defaults and records who owns which field. */
  readonly complete: (object: DynamicObject) => DynamicObject;
}

/** Takes a new object through all steps, from what the client sent to what is stored. */
export async function createObject(registry: Registry, target: Target, context: RequestContext, creation: Creation): Promise<Outcome> {
  const { name, resourceVersion } = creation.sent.metadata;
  if ((resourceVersion ?? "") !== "") throw refusal("", "resourceVersion should not be set on objects to be created");
  for (let tries = 1; ; tries++) {
    try {
      return await createOnce(registry, target, context, creation);
    } catch (error) {
      if (!isReason(error, "AlreadyExists") || (name ?? "") !== "") throw error;
      if (tries === generatedNameTries) throw generatedNameTaken(error);
    }
  }
}

async function createOnce(registry: Registry, target: Target, context: RequestContext, creation: Creation): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const { strategy } = version;
  const { sent, options, complete } = creation;
  const nowMs = context.clock.now();
  const known = strategyContext(registry, context);
  const admission = { operation: "CREATE", target, oldObject: undefined, dryRun: options.dryRun, context } as const;

  const born = withGeneratedName(asNew(inNamespace(sent, namespace), nowMs, context.random), context.random);
  const admitted = await mutateAll(registry.admission, { ...admission, object: complete(born) });
  const prepared = firstGeneration(strategy.prepareCreate?.(admitted, known) ?? admitted, strategy.generationOf);
  refuseInvalid(target, prepared);
  strategy.guard?.("create", prepared, known);
  for (const warning of strategy.warnings?.(prepared, undefined) ?? []) context.warn(warning);
  return withReservation(strategy, prepared, undefined, known, async (object) => {
    await validateAll(registry.admission, { ...admission, object });
    const store = registry.store(kind, version);
    const existing = store.get(namespace, object.metadata.name);
    if (existing !== undefined) throw taken(target, existing.object);
    if (options.dryRun) return { outcome: objectOutcome(201, object), stored: false };
    const written = await store.create(namespace, object);
    if (written.type === "Conflict") throw taken(target, written.current?.object);
    return { outcome: objectOutcome(201, written.served), stored: true };
  });
}

function refuseInvalid({ kind, version }: Target, object: DynamicObject): void {
  const errors = [...validateMetadata(object, kind, version.strategy), ...(version.strategy.validateCreate?.(object) ?? [])];
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? "", errors);
}

function taken({ kind }: Target, existing: DynamicObject | undefined): ApiError {
  const error = alreadyExists(kind, existing?.metadata.name ?? "");
  if (existing?.metadata.deletionTimestamp === undefined) return error;
  return refusal("AlreadyExists", `object is being deleted: ${error.status.message}`, error.details);
}

function generatedNameTaken(error: ApiError): ApiError {
  const message = `${error.status.message}, the server was not able to generate a unique name for the object`;
  return refusal("AlreadyExists", message, { ...error.details, retryAfterSeconds: 1 });
}

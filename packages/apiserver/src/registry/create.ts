import { FieldPath, alreadyExists, invalidValue, isReason, pathSegmentErrors, refusal } from "@kaji/core";
import type { ApiError, DynamicObject, FieldError } from "@kaji/core";
import { forbiddenAccess } from "@kaji/core/serving";
import { guardsOf, mutateAll, validateAll } from "../admission.ts";
import type { AdmissionRequest } from "../admission.ts";
import { decodeBody } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { unsignedProblem } from "../request/unsigned.ts";
import { shownOptions, writeOptions } from "../request/write-options.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { invalidObject } from "./invalid-object.ts";
import { asNew, firstGeneration, inNamespace, withGeneratedName, withoutMetadata, withoutSystemMetadata } from "./object-meta.ts";
import { validateMetadata } from "./object-meta-validation.ts";
import { withUniqueOwners } from "./owner-references.ts";
import { withReservation } from "./reservation.ts";
import { strategyContext } from "./stored-objects.ts";
import type { OwnersKept } from "./object-store.ts";
import { objectOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { reading, writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { withSoundManagers } from "./sound-managers.ts";
import { expectedType } from "./target.ts";
import type { Target } from "./target.ts";

/** How often another name is tried when a generated one is taken. */
const generatedNameTries = 8;

/** POST: makes a new object. */
export async function create(registry: Registry, target: Target, context: RequestContext): Promise<Outcome> {
  const options = writeOptions("CreateOptions", context.query, context.headers["user-agent"]);
  const sent = decodeBody(context.body, context.headers["content-type"], expectedType(target), reading(registry, context, options));
  const { kind } = target;
  const { strategy, answer } = target.version;
  const complete = (object: DynamicObject): Promise<DynamicObject> => {
    const next = strategy.default?.(object) ?? object;
    const by = writeBy(options.fieldManager, target, context.clock.now());
    return registry.fieldManagers.run(kind, (fields) => fields.update({ next, ...by }));
  };
  if (answer !== undefined) {
    const review = await complete(withoutSystemMetadata(inNamespace(sent, target.namespace)));
    const admitted = await admitUnstored(registry, target, context, { object: review, options });
    const answered = await answer(admitted, strategyContext(registry, context));
    return objectOutcome(201, target.version.schema.shown?.(answered) ?? answered);
  }
  return createObject(registry, target, context, { sent, options, complete });
}

/** A new object on its way in: by POST, or by PUT or apply on a name that is free. */
export interface Creation {
  readonly sent: DynamicObject;
  readonly options: WriteOptions;
  /** Fills in defaults and records who owns which field. */
  readonly complete: (object: DynamicObject) => Promise<DynamicObject>;
  readonly owners?: OwnersKept;
}

/** Takes a new object through all steps, from what the client sent to what is stored. */
export async function createObject(registry: Registry, target: Target, context: RequestContext, creation: Creation): Promise<Outcome> {
  const admitted = await admitCreation(registry, target, context, creation);
  for (let tries = 1; ; tries++) {
    try {
      return await createOnce(registry, target, context, admitted);
    } catch (error) {
      const { name, generateName = "" } = admitted.object.metadata;
      if (!isReason(error, "AlreadyExists") || generateName === "") throw error;
      // The real server says so of a name that was given, too.
      if ((name ?? "") !== "" || tries === generatedNameTries) throw generatedNameTaken(error);
    }
  }
}

/** A new object as admission left it, which may still be without a name. */
interface AdmittedCreation {
  readonly object: DynamicObject;
  readonly admission: Omit<AdmissionRequest, "object">;
  readonly owners: OwnersKept | undefined;
}

async function admitCreation(registry: Registry, target: Target, context: RequestContext, creation: Creation): Promise<AdmittedCreation> {
  const { sent, options, complete } = creation;
  const admission = creationOf(target, context, options);
  const owned = withUniqueOwners(inNamespace(sent, target.namespace), "as sent", context.warn);
  const asked = await complete(withoutSystemMetadata(owned));
  const admitted = await mutateAll(registry.admission, { ...admission, object: asked });
  const object = withUniqueOwners(withSoundManagers(admitted, asked, context.warn), "after admission", context.warn);
  return { object, admission, owners: creation.owners };
}

async function createOnce(registry: Registry, target: Target, context: RequestContext, creation: AdmittedCreation): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const { strategy } = version;
  const { admission, owners } = creation;
  const known = strategyContext(registry, context);
  const born = withGeneratedName(asNew(creation.object, known.nowMs, context.random), context.random);
  return withReservation(strategy, born, undefined, known, async (reserved) => {
    const valid = firstGeneration(strategy.prepareCreate?.(reserved, known) ?? reserved, strategy.generationOf);
    refuseInvalid(target, valid);
    strategy.guard?.("create", valid, known);
    for (const warning of strategy.warnings?.(valid, undefined) ?? []) context.warn(warning);
    await requireCreate(registry, target, context);
    await validateAll(registry.admission, { ...admission, object: valid });
    const guards = guardsOf(registry.admission, { ...admission, object: valid });
    const object = version.schema.kept?.(valid) ?? valid;
    if (!admission.dryRun) refuseRevision(object);
    const store = registry.store(kind, version);
    const existing = await store.read(namespace, object.metadata.name);
    if (existing !== undefined) throw taken(target, existing.object);
    if (admission.dryRun) return { outcome: objectOutcome(201, await store.codec.asKept(object)), stored: false };
    const written = await store.create(namespace, withoutMetadata(object, "resourceVersion"), { owners, guards });
    if (written.type === "Conflict") throw taken(target, written.current?.object);
    return { outcome: objectOutcome(201, written.served), stored: true };
  });
}

/** 403 when a PUT or an apply finds no object, and its sender may change objects of the kind but not create them. */
async function requireCreate({ authorize }: Registry, target: Target, { info, user }: RequestContext): Promise<void> {
  if (info.verb === "create") return;
  const { kind, version, namespace, name, subresource } = target;
  const access = {
    type: "Resource",
    verb: "create",
    group: kind.group,
    version: version.version,
    resource: kind.plural,
    namespace,
    name,
    subresource,
  } as const;
  const { allowed, reason } = await authorize(user, access);
  if (!allowed) throw forbiddenAccess(user, access, reason);
}

/** A creation as admission plugins see it, before there is an object. */
function creationOf(target: Target, context: RequestContext, options: WriteOptions): Omit<AdmissionRequest, "object"> {
  const asked = shownOptions("CreateOptions", context.query);
  return { operation: "CREATE", target, oldObject: undefined, options: asked, dryRun: options.dryRun, context };
}

/** Admits an object that is not stored, such as a review. */
export async function admitUnstored(
  registry: Registry,
  target: Target,
  context: RequestContext,
  { object, options }: { readonly object: DynamicObject; readonly options: WriteOptions },
): Promise<DynamicObject> {
  const admission = creationOf(target, context, options);
  const admitted = await mutateAll(registry.admission, { ...admission, object });
  await validateAll(registry.admission, { ...admission, object: admitted });
  return admitted;
}

/** 500 for what says that it has been stored, which storage alone looks at. What is no revision says nothing. */
function refuseRevision({ metadata: { resourceVersion = "" } }: DynamicObject): void {
  if (unsignedProblem(resourceVersion) !== undefined || /^0*$/.test(resourceVersion)) return;
  throw refusal("", "resourceVersion should not be set on objects to be created");
}

function refuseInvalid({ kind, version }: Target, object: DynamicObject): void {
  const { strategy } = version;
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw invalidObject(kind, object, errors);
  };
  const ofMetadata = strategy.validateName === undefined ? [] : validateMetadata(object, kind, strategy);
  refuse([...ofMetadata, ...(strategy.validateCreate?.(object) ?? [])]);
  refuse(strategy.validateName === undefined ? validateMetadata(object, kind, strategy) : pathErrors(object));
}

/** Whatever the rules of a kind, its objects must have a path. */
function pathErrors({ metadata }: DynamicObject): readonly FieldError[] {
  return pathSegmentErrors(metadata.name).map((why) => invalidValue(FieldPath.of("metadata", "name"), metadata.name, why));
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

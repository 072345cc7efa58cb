import { FieldPath, badRequest, formatApiVersion, invalid, invalidValue, notFound, refusal } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { FieldManager } from "../apply/field-manager.ts";
import type { Write } from "../apply/field-manager.ts";
import { FieldSet } from "../apply/field-set.ts";
import { deducedSchema } from "../apply/merge-schema.ts";
import { managedFieldsAfterScale, scaleManagedFields } from "../apply/scale-fields.ts";
import type { ReplicasPaths } from "../apply/scale-fields.ts";
import type { Kind } from "../kind.ts";
import type { ScaleSubresource } from "../subresource.ts";
import { readApplied } from "../request/applied-configuration.ts";
import type { ExpectedType } from "../request/body-type.ts";
import { decodeBody } from "../request/body.ts";
import { patchTypeOf } from "../request/patch-body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { patchOptions, writeOptions } from "../request/write-options.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { withMetadata, withoutMetadata } from "./object-meta.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import { patchedObject } from "./patch.ts";
import { reading, writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName } from "./update.ts";

/** GET: how many replicas an object wants and has. */
export async function getScale(registry: Registry, target: Target, subresource: ScaleSubresource): Promise<ObjectOutcome> {
  const name = requiredName(target);
  const served = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (served === undefined) throw notFound(target.kind, name);
  if (subresource.read(served.object).specReplicas === undefined) {
    const message = `the spec replicas field ".${subresource.replicasPath.join(".")}" does not exist`;
    throw refusal("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
  }
  return objectOutcome(200, toScale(served.object, subresource));
}

/** PUT: sets how many replicas an object wants. */
export function updateScale(
  registry: Registry,
  target: Target,
  subresource: ScaleSubresource,
  context: RequestContext,
): Promise<ObjectOutcome> {
  const options = writeOptions("UpdateOptions", context.query, context.headers["user-agent"]);
  const sent = decodeBody(context.body, context.headers["content-type"], scaleType(registry), reading(registry, context, options));
  const by = writeByScale(options, target, context);
  return writeScale(registry, target, subresource, context, {
    options,
    change: (live) => ({ sent, next: scaleFields.update({ ...by, live, next: sent }) }),
  });
}

/** PATCH: the same, by a patch to the Scale. */
export function patchScale(
  registry: Registry,
  target: Target,
  subresource: ScaleSubresource,
  context: RequestContext,
): Promise<ObjectOutcome> {
  const type = patchTypeOf(target.version.schema, context.headers["content-type"]);
  const options = patchOptions(context.query, context.headers["user-agent"], type === "apply");
  const by = writeByScale(options, target, context);
  const change = (live: DynamicObject): ScaleChange => {
    if (type === "apply") {
      const patch = readApplied(context.body, scale, options.fieldValidation);
      return { sent: patch, next: scaleFields.apply({ ...by, live, patch, force: options.force }) };
    }
    const patching = { type, body: context.body, expected: scaleType(registry), options: reading(registry, context, options) };
    const sent = patchedObject(patching, live);
    return { sent, next: scaleFields.update({ ...by, live, next: sent }) };
  };
  return writeScale(registry, target, subresource, context, { options, change });
}

/** A Scale as it was sent, and as it then is. */
interface ScaleChange {
  readonly sent: DynamicObject;
  readonly next: DynamicObject;
}

interface ScaleWrite {
  readonly options: WriteOptions;
  /** What becomes of the present Scale. */
  readonly change: (live: DynamicObject) => ScaleChange;
}

async function writeScale(
  registry: Registry,
  target: Target,
  subresource: ScaleSubresource,
  context: RequestContext,
  { options, change }: ScaleWrite,
): Promise<ObjectOutcome> {
  const paths = replicasPaths(target.kind);
  const { served } = await reviseObject(registry, target, context, {
    options,
    view: {
      show: (object) => toScale(object, subresource),
      take: (object, view) => {
        const isSame = replicasOf(view) === replicasOf(toScale(object, subresource));
        return isSame ? object : subresource.write(object, replicasOf(view));
      },
    },
    wanted: (live) => {
      const { managedFields: entries = [] } = live.metadata;
      const owned = scaleManagedFields(entries, paths);
      const present = withMetadata(presentScale(live, subresource), owned.length === 0 ? {} : { managedFields: owned });
      const { sent, next } = change(present);
      refuseUnset(next, subresource);
      refuseOtherName(next, requiredName(target));
      refuseStale(target, sent, live);
      const { managedFields: scaleEntries = [] } = next.metadata;
      const managedFields = managedFieldsAfterScale({ entries, scaleEntries, apiVersion: live.apiVersion, paths });
      const scaled = subresource.write(live, replicasOf(next));
      return managedFields.length === 0 ? withoutMetadata(scaled, "managedFields") : withMetadata(scaled, { managedFields });
    },
  });
  return objectOutcome(200, toScale(served.object, subresource));
}

/** Who writes to a Scale, which is of a version of its own. */
function writeByScale({ fieldManager }: WriteOptions, target: Target, { clock }: RequestContext): Write {
  return { ...writeBy(fieldManager, target, clock.now()), apiVersion: scale.apiVersion };
}

const scale = { kind: "Scale", apiVersion: "autoscaling/v1" } as const;

/** Who keeps track of the owners of a Scale. All of it is scalars and maps, so that its schema can be told from its values. */
const scaleFields = new FieldManager({
  kind: scale.kind,
  schemaAt: (apiVersion) => (apiVersion === scale.apiVersion ? deducedSchema : undefined),
  convert: (object) => object,
  empty: () => ({ ...scale, metadata: { name: "" }, spec: {}, status: {} }),
  resetFields: () => FieldSet.ofFields(["status"]),
});

function replicasPaths({ group, versions }: Kind): ReplicasPaths {
  return new Map(
    versions.map(({ version, subresources }) => {
      const { scale: subresource } = subresources;
      return [formatApiVersion({ group, version }), subresource?.type === "Scale" ? subresource.replicasPath : undefined];
    }),
  );
}

function toScale(object: DynamicObject, { read }: ScaleSubresource): DynamicObject {
  const { specReplicas, statusReplicas, selector } = read(object);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    ...scale,
    metadata: JSON.parse(JSON.stringify(metadata)),
    spec: (specReplicas ?? 0) === 0 ? {} : { replicas: specReplicas },
    status: { replicas: statusReplicas, ...(selector === "" ? {} : { selector }) },
  };
}

/** Replicas that an object does not have are known by a number that no client sends, so that a patch which sets none is found. */
function presentScale(object: DynamicObject, subresource: ScaleSubresource): DynamicObject {
  const view = toScale(object, subresource);
  return subresource.read(object).specReplicas === undefined ? { ...view, spec: { replicas: unset } } : view;
}

const unset = -(2 ** 31);

function refuseUnset({ spec }: DynamicObject, { replicasPath }: ScaleSubresource): void {
  if (typeof spec !== "object" || spec === null || !("replicas" in spec) || spec.replicas !== unset) return;
  throw badRequest(`the spec replicas field ".${replicasPath.join(".")}" cannot be empty`);
}

function replicasOf(scale: DynamicObject): number {
  const { spec } = scale;
  const replicas = typeof spec === "object" && spec !== null && "replicas" in spec ? Number(spec.replicas) : 0;
  if (replicas >= 0) return replicas;
  const error = invalidValue(FieldPath.of("spec", "replicas"), replicas, "must be greater than or equal to 0");
  throw invalid({ group: "autoscaling", kind: "Scale" }, scale.metadata.name, [error]);
}

function scaleType({ schemas }: Registry): ExpectedType {
  return { group: "autoscaling", version: "v1", kind: "Scale", schema: schemas.scale };
}

import { FieldPath, invalid, invalidValue, notFound, refusal } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import type { ScaleSubresource } from "../kind.ts";
import { decodeBody, understand } from "../request/body.ts";
import type { ExpectedType } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { patchOptions, writeOptions } from "../request/write-options.ts";
import type { WriteOptions } from "../request/write-options.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import { parsePatch, patchJson, patchTypeOf } from "./patch.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName } from "./update.ts";

/** GET: how many replicas an object wants and has. */
export function getScale(registry: Registry, target: Target, subresource: ScaleSubresource): ObjectOutcome {
  const name = requiredName(target);
  const served = registry.store(target.kind, target.version).get(target.namespace, name);
  if (served === undefined) throw notFound(target.kind, name);
  if (subresource.read(served.object).specReplicas === undefined) {
    throw refusal(
      "InternalError",
      `Internal error occurred: the spec replicas field ".${subresource.replicasPath.join(".")}" does not exist`,
    );
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
  const sent = decodeBody(context.body, context.headers["content-type"], scaleType(registry), { ...options, warn: context.warn });
  return writeScale(registry, target, subresource, context, { options, wanted: () => sent });
}

/** PATCH: the same, by a patch to the Scale. */
export function patchScale(
  registry: Registry,
  target: Target,
  subresource: ScaleSubresource,
  context: RequestContext,
): Promise<ObjectOutcome> {
  const given = patchTypeOf(target, context.headers["content-type"]);
  // A Scale has no lists, so an applied one merges like any other.
  const type = given === "apply" || given === "strategic" ? "merge" : given;
  const options = patchOptions(context.query, context.headers["user-agent"], given === "apply");
  const { value: patch, duplicates } = parsePatch(type, context.body);
  const wanted = (scale: DynamicObject): DynamicObject => {
    const value = patchJson(type, patch, scale as unknown as JsonValue, target);
    return understand({ value, duplicates }, scaleType(registry), { ...options, warn: context.warn });
  };
  return writeScale(registry, target, subresource, context, { options, wanted });
}

interface ScaleWrite {
  readonly options: WriteOptions;
  readonly wanted: (scale: DynamicObject) => DynamicObject;
}

async function writeScale(
  registry: Registry,
  target: Target,
  subresource: ScaleSubresource,
  context: RequestContext,
  { options, wanted }: ScaleWrite,
): Promise<ObjectOutcome> {
  const { served } = await reviseObject(registry, target, context, {
    options,
    wanted: (live) => {
      const scale = wanted(toScale(live, subresource));
      refuseOtherName(scale, requiredName(target));
      refuseStale(target, scale, live);
      const next = subresource.write(live, replicasOf(scale));
      return registry.fieldManager(target.kind).update({ live, next, ...writeBy(options.fieldManager, target, context.clock.now()) });
    },
  });
  return objectOutcome(200, toScale(served.object, subresource));
}

function toScale(object: DynamicObject, { read }: ScaleSubresource): DynamicObject {
  const { specReplicas, statusReplicas, selector } = read(object);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: JSON.parse(JSON.stringify(metadata)),
    spec: (specReplicas ?? 0) === 0 ? {} : { replicas: specReplicas },
    status: { replicas: statusReplicas, ...(selector === "" ? {} : { selector }) },
  };
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

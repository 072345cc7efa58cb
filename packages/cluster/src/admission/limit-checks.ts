import { Quantity } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, objectsField, optionalObject, stringField } from "../kinds/json-fields.ts";
import { podTotals } from "../kinds/core/pod-resources.ts";
import { resourceList } from "../kinds/core/resource-list.ts";
import type { ResourceList } from "../kinds/core/resource-list.ts";

/** What is wrong with a pod or claim by one limit of a LimitRange. */
export function limitProblems(limit: JsonObject, plural: string, object: DynamicObject): readonly string[] {
  const spec = objectField(object, "spec");
  const type = stringField(limit, "type");
  if (plural === "persistentvolumeclaims") return type === "PersistentVolumeClaim" ? claimProblems(limit, spec) : [];
  if (plural !== "pods") return [];
  if (type === "Pod") return boundProblems(limit, { limits: podTotals(spec, "limits"), requests: podTotals(spec, "requests") });
  if (type !== "Container") return [];
  return [...objectsField(spec, "containers"), ...objectsField(spec, "initContainers")].flatMap((container) =>
    boundProblems(limit, askedFor(objectField(container, "resources"))),
  );
}

/** The requests and limits of a container or pod. */
interface Asked {
  readonly limits: ResourceList;
  readonly requests: ResourceList;
}

function askedFor(resources: JsonObject): Asked {
  return { limits: amounts(resources, "limits"), requests: amounts(resources, "requests") };
}

function amounts(parent: JsonObject, field: string): ResourceList {
  return resourceList(optionalObject(parent, field));
}

function boundProblems(limit: JsonObject, asked: Asked): readonly string[] {
  const type = stringField(limit, "type");
  return [
    ...[...amounts(limit, "min")].flatMap(([name, least]) => minProblem(type, name, least, asked)),
    ...[...amounts(limit, "max")].flatMap(([name, most]) => maxProblem(type, name, most, asked)),
    ...[...amounts(limit, "maxLimitRequestRatio")].flatMap(([name, ratio]) => ratioProblem(type, name, ratio, asked)),
  ];
}

/** Of a claim only what it requests counts. */
function claimProblems(limit: JsonObject, spec: JsonObject): readonly string[] {
  const type = stringField(limit, "type");
  const asked = { limits: new Map<string, Quantity>(), requests: askedFor(objectField(spec, "resources")).requests };
  return [
    ...[...amounts(limit, "min")].flatMap(([name, least]) => minProblem(type, name, least, asked)),
    ...[...amounts(limit, "max")].flatMap(([name, most]) => {
      const rule = `maximum ${name} usage per ${type} is ${most}`;
      const request = asked.requests.get(name);
      if (request === undefined) return [`${rule}.  No request is specified`];
      return request.compare(most) > 0 ? [`${rule}, but request is ${request}`] : [];
    }),
  ];
}

function minProblem(type: string, name: string, least: Quantity, { limits, requests }: Asked): readonly string[] {
  const rule = `minimum ${name} usage per ${type} is ${least}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (request.compare(least) < 0) return [`${rule}, but request is ${request}`];
  return limit !== undefined && limit.compare(least) < 0 ? [`${rule}, but limit is ${limit}`] : [];
}

function maxProblem(type: string, name: string, most: Quantity, { limits, requests }: Asked): readonly string[] {
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (limit === undefined) return [`${rule}.  No limit is specified`];
  if (limit.compare(most) > 0) return [`${rule}, but limit is ${limit}`];
  return request !== undefined && request.compare(most) > 0 ? [`${rule}, but request is ${request}`] : [];
}

function ratioProblem(type: string, name: string, most: Quantity, { limits, requests }: Asked): readonly string[] {
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  const [request = Quantity.zero, limit = Quantity.zero] = [requests.get(name), limits.get(name)];
  if (request.isZero()) return [`${rule}, but no request is specified or request is 0`];
  if (limit.isZero()) return [`${rule}, but no limit is specified or limit is 0`];
  const ratio = Number(limit.milliValue()) / Number(request.milliValue());
  return ratio * 1000 > Number(most.milliValue()) ? [`${rule}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}

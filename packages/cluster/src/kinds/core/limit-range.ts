import { FieldPath, Quantity, duplicate, forbiddenField, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapItems, mapPart, withoutFields } from "../field-defaults.ts";
import { qualifiedErrors } from "../field-rules.ts";
import { objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, subdomainName } from "../metadata-validation.ts";
import { defaultResourceList, resourceList } from "./resource-list.ts";
import type { ResourceList } from "./resource-list.ts";
import { containerResourceNameErrors, isOvercommittable, resourceNameErrors } from "./resource-name.ts";

const limitsPath = FieldPath.of("spec", "limits");
const lists = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;
const types = ["Container", "PersistentVolumeClaim", "Pod"];

/** `LimitRange`: what pods and claims of a namespace may ask for. */
export const limitRangeDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    createOnUpdate: true,
    default: (range) => mapPart(range, "spec", (spec) => mapItems(spec, "limits", defaultLimit)),
    prepareCreate: (range, { random }) => {
      const { name, ...metadata } = range.metadata;
      return { ...range, metadata: { name: (name ?? "") === "" ? random.uuid() : name, ...metadata } };
    },
    validateCreate: (range) => [...finalizerNameErrors(range), ...limitErrors(range)],
    validateUpdate: (range) => [...metadataErrorsAgain(range, subdomainName), ...limitErrors(range)],
  },
};

/** What containers get that ask for nothing follows from what is given: the most is the default limit, and that the default request. */
function defaultLimit(limit: JsonObject): JsonObject {
  let result = limit;
  if (stringField(limit, "type") === "Container") {
    const defaults = { ...objectField(limit, "max"), ...objectField(limit, "default") };
    const requests = { ...objectField(limit, "min"), ...defaults, ...objectField(limit, "defaultRequest") };
    result = {
      ...withoutFields(limit, "default", "defaultRequest"),
      ...nonEmpty("default", defaults),
      ...nonEmpty("defaultRequest", requests),
    };
  }
  for (const list of lists) result = mapField(result, list, defaultResourceList);
  return result;
}

function nonEmpty(name: string, amounts: JsonObject): JsonObject {
  return Object.keys(amounts).length === 0 ? {} : { [name]: amounts };
}

function limitErrors(range: DynamicObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsField(objectField(range, "spec"), "limits").flatMap((limit, index) => {
    const path = limitsPath.index(index);
    const type = stringField(limit, "type");
    const errors = [...typeErrors(type, path.child("type"))];
    if (seen.has(type)) errors.push(duplicate(path.child("type"), type));
    seen.add(type);
    return [...errors, ...namesAndShape(limit, type, path), ...relationErrors(limit, type, path)];
  });
}

function typeErrors(type: string, path: FieldPath): readonly FieldError[] {
  const errors = qualifiedErrors(type, path);
  if (errors.length > 0 || type.includes("/") || types.includes(type)) return errors;
  return [invalidValue(path, type, "must be a standard limit type or fully qualified")];
}

function namesAndShape(limit: JsonObject, type: string, path: FieldPath): readonly FieldError[] {
  const rule = type === "Pod" || type === "Container" ? containerResourceNameErrors : resourceNameErrors;
  const names = (list: string): readonly FieldError[] =>
    Object.keys(objectField(limit, list)).flatMap((name) => rule(name, path.child(list).key(name)));
  const errors = [...names("max"), ...names("min")];
  for (const list of ["default", "defaultRequest"]) {
    const isGiven = Object.keys(objectField(limit, list)).length > 0;
    if (type !== "Pod") errors.push(...names(list));
    else if (isGiven) errors.push(forbiddenField(path.child(list), "may not be specified when `type` is 'Pod'"));
  }
  const isBounded = ["min", "max"].some((list) => stringField(objectField(limit, list), "storage") !== "");
  if (type === "PersistentVolumeClaim" && !isBounded) {
    errors.push(required(path.child("limits"), "either minimum or maximum storage value is required, but neither was provided"));
  }
  return [...errors, ...names("maxLimitRequestRatio")];
}

function relationErrors(limit: JsonObject, type: string, path: FieldPath): readonly FieldError[] {
  const amounts = (list: string): ResourceList => resourceList(optionalObject(limit, list));
  const [most, least, ratios] = [amounts("max"), amounts("min"), amounts("maxLimitRequestRatio")];
  const [defaults, requests] =
    type === "Pod" ? [new Map<string, Quantity>(), new Map<string, Quantity>()] : [amounts("default"), amounts("defaultRequest")];
  const names = new Set([...most.keys(), ...least.keys(), ...defaults.keys(), ...requests.keys(), ...ratios.keys()]);
  return [...names].flatMap((name) => {
    const bounds = {
      max: most.get(name),
      min: least.get(name),
      default: defaults.get(name),
      request: requests.get(name),
      ratio: ratios.get(name),
    };
    return [...orderErrors(name, bounds, path), ...ratioErrors(name, bounds, path), ...overcommitErrors(name, bounds, path)];
  });
}

interface Bounds {
  readonly max: Quantity | undefined;
  readonly min: Quantity | undefined;
  readonly default: Quantity | undefined;
  readonly request: Quantity | undefined;
  readonly ratio: Quantity | undefined;
}

function orderErrors(name: string, { max, min, default: standard, request }: Bounds, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (
    low: Quantity | undefined,
    high: Quantity | undefined,
    at: string,
    shown: Quantity | undefined,
    words: readonly [string, string],
  ): void => {
    if (low === undefined || high === undefined || low.compare(high) <= 0) return;
    errors.push(
      invalidValue(path.child(at).key(name), shown?.toString(), `${words[0]} value ${low} is greater than ${words[1]} value ${high}`),
    );
  };
  check(min, max, "min", min, ["min", "max"]);
  check(min, request, "defaultRequest", request, ["min", "default request"]);
  check(request, max, "defaultRequest", request, ["default request", "max"]);
  check(request, standard, "defaultRequest", request, ["default request", "default limit"]);
  check(min, standard, "default", min, ["min", "default"]);
  check(standard, max, "default", max, ["default", "max"]);
  return errors;
}

function ratioErrors(name: string, { max, min, ratio }: Bounds, path: FieldPath): readonly FieldError[] {
  if (ratio === undefined) return [];
  const at = path.child("maxLimitRequestRatio").key(name);
  const errors = ratio.compare(Quantity.of(1)) < 0 ? [invalidValue(at, ratio.toString(), `ratio ${ratio} is less than 1`)] : [];
  if (max === undefined || min === undefined) return errors;
  const most = Number(max.milliValue()) / Number(min.milliValue());
  if (Number(ratio.milliValue()) / 1000 > most) {
    errors.push(invalidValue(at, ratio.toString(), `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`));
  }
  return errors;
}

function overcommitErrors(name: string, { default: standard, request }: Bounds, path: FieldPath): readonly FieldError[] {
  if (isOvercommittable(name) || standard === undefined || request === undefined || standard.equals(request)) return [];
  const rule = `default value ${standard} must equal to defaultRequest value ${request} in ${name}`;
  return [invalidValue(path.child("defaultRequest").key(name), request.toString(), rule)];
}

import { ApiError, isJsonArray, isJsonObject, jsonOf, oneLine } from "@kaji/core";
import type { JsonValue, KubeObject, StatusCause } from "@kaji/core";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { CommandError } from "../command.ts";

/**
 * What a server has against a definition, such as that a rule may cost too much, names places in it alone. This is the error in one line that begins with who refused it, where each problem has
 * the kind, version, field and rule that it is about. Any other error stays what it is.
 */
export function refusalOf(error: unknown, object: KubeObject, whoRefused: string): unknown {
  if (!(error instanceof ApiError) || !isDefinition(object)) return error;
  const { causes = [] } = error.details ?? {};
  // What is said of one place after the first only follows from it.
  const first = causes.filter(({ field }, index) => causes.findIndex((cause) => cause.field === field) === index);
  if (first.length === 0) return error;
  return new CommandError(`${whoRefused} ${first.map((cause) => problemOf(cause, object)).join("; ")}`, { cause: error });
}

function isDefinition(object: KubeObject): object is CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition";
}

function problemOf({ field: place = "", message = "" }: StatusCause, definition: CustomResourceDefinition): string {
  const { names, versions } = definition.spec;
  const steps = stepsOf(place);
  const at = steps.indexOf("openAPIV3Schema");
  if (at < 0) return oneLine(`${names.kind}: ${place}: ${message}${remedyFor(place, message, definition)}`);
  const isShared = place.startsWith(sharedSchema);
  const concerned = versions.filter((_, index) => isShared || index === Number(steps[2])).map(({ name }) => name);
  const expression = steps.includes("x-kubernetes-validations") ? valueAt(jsonOf(definition), steps) : undefined;
  const about = `${names.kind} ${concerned.join(", ")}: ${fieldOf(steps.slice(at + 1))}`;
  if (typeof expression !== "string") return oneLine(`${about}: ${message}`);
  return oneLine(`${about}: ${steps.at(-1)} ${expression}: ${message.replace(wholeRule, "")}`);
}

/** How a definition gets past what the server holds on to. */
function remedyFor(place: string, message: string, { metadata: { name } }: CustomResourceDefinition): string {
  const anew = `kubectl delete crd ${name} makes room for the new definition, and removes all objects of the old one`;
  if (place.startsWith("status.storedVersions"))
    return `; keep that version among its versions until kaji migrate has written its objects anew; or ${anew}`;
  return message.endsWith("field is immutable") ? `; ${anew}` : "";
}

/** Where the schema is that all versions have in common. */
const sharedSchema = "spec.validation.";

/** The rule with all that is said of it, which servers put before what is wrong with it. */
const wholeRule = /^Invalid value: \{"Rule":.*?"OptionalOldSelf":\w+\}: /s;

/** The steps of a path such as `spec.versions[0].schema`. What all versions share is where it is in the first. */
function stepsOf(place: string): readonly string[] {
  const inFirst = place.startsWith(sharedSchema) ? `spec.versions[0].schema.${place.slice(sharedSchema.length)}` : place;
  return Array.from(inFirst.matchAll(/\[([^\]]*)\]|[^.[\]]+/g), ([step, inBrackets]) => inBrackets ?? step);
}

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let part: JsonValue | undefined = value;
  for (const step of steps) {
    if (isJsonArray(part)) part = part[Number(step)];
    else part = isJsonObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }
  return part;
}

/** The field of an object that a part of its schema is about; what is in lists and maps is `[*]`. */
function fieldOf(steps: readonly string[]): string {
  let field = "";
  for (let index = 0; index < steps.length && steps[index] !== "x-kubernetes-validations"; index++) {
    if (steps[index] === "properties") field += `.${steps[++index]}`;
    else field += "[*]";
  }
  return field === "" ? "the object" : field.replace(/^\./, "");
}

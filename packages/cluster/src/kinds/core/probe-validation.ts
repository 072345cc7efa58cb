import { forbiddenField, invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject, JsonValue } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { nonNegative } from "../field-rules.ts";
import { field, has, numberField, objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import { headerNameProblems, portNameProblems, portNumberProblems } from "../scalar-rules.ts";

/** What is wrong with how a container is started, stopped and probed; `graceSeconds` is the time its pod is given to stop. */
export function validateLifecycle(container: JsonObject, graceSeconds: number | undefined, path: FieldPath): readonly FieldError[] {
  const lifecycle = optionalObject(container, "lifecycle");
  const handlers = ["exec", "httpGet", "tcpSocket", "sleep"];
  return [
    ...["postStart", "preStop"].flatMap((hook) => {
      const handler = optionalObject(lifecycle, hook);
      return handler === undefined ? [] : validateHandler(handler, handlers, graceSeconds, path.child("lifecycle", hook));
    }),
    ...probeNames.flatMap((name) => {
      const probe = optionalObject(container, name);
      return probe === undefined ? [] : validateProbe(name, probe, path.child(name));
    }),
  ];
}

/** Probes of a container, in the order in which they are checked. */
export const probeNames = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

function validateProbe(name: (typeof probeNames)[number], probe: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = [...validateHandler(probe, ["exec", "httpGet", "tcpSocket", "grpc"], undefined, path)];
  for (const number of ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]) {
    errors.push(...nonNegative(probe, number, path));
  }
  const grace = numberField(probe, "terminationGracePeriodSeconds");
  const gracePath = path.child("terminationGracePeriodSeconds");
  if (grace !== undefined && grace <= 0) errors.push(invalidValue(gracePath, grace, "must be greater than 0"));
  if (name === "readinessProbe") {
    if (grace !== undefined) errors.push(invalidValue(gracePath, grace, "must not be set for readinessProbes"));
    return errors;
  }
  const successes = numberField(probe, "successThreshold") ?? 0;
  if (successes !== 1) errors.push(invalidValue(path.child("successThreshold"), successes, "must be 1"));
  return errors;
}

/** One of several ways to do something, and only one. */
function validateHandler(
  handler: JsonObject,
  ways: readonly string[],
  graceSeconds: number | undefined,
  path: FieldPath,
): readonly FieldError[] {
  const [first, ...others] = ways.filter((way) => has(handler, way));
  if (first === undefined) return [required(path, "must specify a handler type")];
  const given = optionalObject(handler, first) ?? {};
  return [
    ...validateAction(first, given, graceSeconds, path.child(first)),
    ...others.map((way) => forbiddenField(path.child(way), "may not specify more than 1 handler type")),
  ];
}

function validateAction(way: string, action: JsonObject, graceSeconds: number | undefined, path: FieldPath): readonly FieldError[] {
  switch (way) {
    case "exec":
      return stringsField(action, "command").length === 0 ? [required(path.child("command"))] : [];
    case "httpGet":
      return validateHttpGet(action, path);
    case "sleep": {
      const seconds = numberField(action, "seconds") ?? 0;
      if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
      return [invalidValue(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)];
    }
    default:
      return validatePort(field(action, "port") ?? 0, path.child("port"));
  }
}

const schemes = ["HTTP", "HTTPS"];

function validateHttpGet(get: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = stringField(get, "path") === "" ? [required(path.child("path"))] : [];
  errors.push(...validatePort(field(get, "port") ?? 0, path.child("port")));
  const scheme = stringField(get, "scheme");
  if (!schemes.includes(scheme)) errors.push(notEnumerated(path.child("scheme"), scheme, schemes));
  for (const header of objectsField(get, "httpHeaders")) {
    const name = stringField(header, "name");
    errors.push(...headerNameProblems(name).map((problem) => invalidValue(path.child("httpHeaders"), name, problem)));
  }
  return errors;
}

/** What is wrong with a port that is given by number or by name. */
export function validatePort(port: JsonValue, path: FieldPath): readonly FieldError[] {
  const problems = typeof port === "string" ? portNameProblems(port) : portNumberProblems(Number(port));
  return problems.map((problem) => invalidValue(path, port, problem));
}

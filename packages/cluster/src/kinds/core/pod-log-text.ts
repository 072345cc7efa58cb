import type { TextSubresource } from "@kaji/apiserver";
import { FieldPath, forbiddenField, invalid, invalidValue, notFound } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { booleanField, numberField, objectField, stringField } from "../json-fields.ts";

/** Which part of a log is asked for. */
export interface PodLogQuery {
  readonly container?: string;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  /** Only what was written then or later. */
  readonly sinceMs?: number;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Whether what will be written is wanted too. */
  readonly follow?: boolean;
}

/** Reads the log of a pod that has a node; one that is followed goes on until its container or the request ends. */
export type PodLogReader = (pod: DynamicObject, query: PodLogQuery, request: PodLogRequest) => string | AsyncIterable<Uint8Array>;

/** When a log is asked for, and for how long. */
export interface PodLogRequest {
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

/** `pods/log`: what a container wrote until now. Without a reader there are no nodes on which pods could run. */
export function podLogText(read: PodLogReader | undefined): TextSubresource {
  return {
    type: "Text",
    options: logOptions,
    read: (pod, options, { request, nowMs }) => {
      const errors = [
        ...numberErrors(options, "tailLines", 0, "must be greater than or equal to 0"),
        ...numberErrors(options, "limitBytes", 1, "must be greater than 0"),
        ...sinceErrors(options, request.query.has("sinceTime")),
      ];
      if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, pod.metadata.name, errors);
      const node = stringField(objectField(pod, "spec"), "nodeName");
      if (read === undefined && node !== "") throw notFound({ group: "", plural: "nodes" }, node);
      return (
        read?.(
          pod,
          { ...logQuery(options), ...since(options, request.query.get("sinceTime"), nowMs) },
          { nowMs, signal: request.signal },
        ) ?? ""
      );
    },
  };
}

const logOptions: TextSubresource["options"] = [
  { name: "container", type: "string" },
  { name: "follow", type: "boolean" },
  { name: "insecureSkipTLSVerifyBackend", type: "boolean" },
  { name: "limitBytes", type: "integer" },
  { name: "previous", type: "boolean" },
  { name: "sinceSeconds", type: "integer" },
  { name: "stream", type: "string" },
  { name: "tailLines", type: "integer" },
  { name: "timestamps", type: "boolean" },
];

/** From when on a log is asked for. A time that is none asks for everything. */
function since(options: JsonObject, time: string | null, nowMs: number): Pick<PodLogQuery, "sinceMs"> {
  const seconds = numberField(options, "sinceSeconds");
  const sinceMs = seconds === undefined ? Date.parse(time ?? "") : nowMs - seconds * 1000;
  return Number.isNaN(sinceMs) ? {} : { sinceMs };
}

function logQuery(options: JsonObject): PodLogQuery {
  const [container, tailLines, limitBytes] = [
    stringField(options, "container"),
    numberField(options, "tailLines"),
    numberField(options, "limitBytes"),
  ];
  return {
    follow: booleanField(options, "follow"),
    previous: booleanField(options, "previous"),
    timestamps: booleanField(options, "timestamps"),
    ...(container === "" ? {} : { container }),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
  };
}

function numberErrors(options: JsonObject, name: string, least: number, problem: string): readonly FieldError[] {
  const value = numberField(options, name);
  return value === undefined || value >= least ? [] : [invalidValue(FieldPath.of(name), value, problem)];
}

function sinceErrors(options: JsonObject, hasTime: boolean): readonly FieldError[] {
  if (!hasTime || numberField(options, "sinceSeconds") === undefined)
    return numberErrors(options, "sinceSeconds", 1, "must be greater than 0");
  return [forbiddenField(FieldPath.root, "at most one of `sinceTime` or `sinceSeconds` may be specified")];
}

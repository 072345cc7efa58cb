import { formatAge } from "@kaji/apiserver";
import type { Column } from "@kaji/apiserver";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, objectsField, stringField } from "../json-fields.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { podSummary } from "./pod-summary.ts";
import { hasTrueCondition } from "../true-condition.ts";

const none = "<none>";

/** The table of pods. */
export const podColumns: readonly Column[] = [
  nameColumn,
  {
    name: "Ready",
    type: "string",
    description: "how many containers are ready, of how many",
    cell: (pod) => {
      const { ready, total } = podSummary(pod);
      return `${ready}/${total}`;
    },
  },
  { name: "Status", type: "string", description: "what the containers are doing", cell: (pod) => podSummary(pod).reason },
  {
    name: "Restarts",
    type: "string",
    description: "how often containers were started again, and how long ago",
    cell: (pod, nowMs) => {
      const { restarts, lastRestart } = podSummary(pod);
      return restarts === 0 || lastRestart === undefined ? String(restarts) : `${restarts} (${formatAge(lastRestart, nowMs)} ago)`;
    },
  },
  ageColumn,
  wide("IP", "the address of the pod", (_spec, status) => stringField(objectsField(status, "podIPs")[0], "ip")),
  wide("Node", "where the pod runs", (spec) => stringField(spec, "nodeName")),
  wide("Nominated Node", "where room is being made for the pod", (_spec, status) => stringField(status, "nominatedNodeName")),
  wide("Readiness Gates", "how many further conditions hold, of how many", readinessGates),
];

function wide(name: string, description: string, text: (spec: JsonObject, status: JsonObject) => string): Column {
  const cell = (pod: DynamicObject): string => text(objectField(pod, "spec"), objectField(pod, "status")) || none;
  return { name, type: "string", priority: 1, description, cell };
}

function readinessGates(spec: JsonObject, status: JsonObject): string {
  const gates = objectsField(spec, "readinessGates").map((gate) => stringField(gate, "conditionType"));
  if (gates.length === 0) return none;
  const open = gates.filter((type) => hasTrueCondition(status, type));
  return `${open.length}/${gates.length}`;
}

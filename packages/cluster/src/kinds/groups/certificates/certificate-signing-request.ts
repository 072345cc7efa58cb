import type { Strategy } from "@kaji/apiserver";
import { formatSeconds } from "@kaji/apiserver";
import { formatTime } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { mapPart, withoutFields } from "../../field-defaults.ts";
import { numberField, objectField, objectsField, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { validateRequest, validateRequestChange } from "./certificate-signing-request-validation.ts";

const approvals = ["Approved", "Denied"];

/** `CertificateSigningRequest`: asks for a certificate. */
export const certificateSigningRequest: KindDetails = {
  strategy: {
    validateName: () => [],
    resetFields: [["spec"], ["status"]],
    prepareCreate: (object, { request }) =>
      mapPart(object, "spec", (spec) => ({ ...withoutFields(spec, "username", "uid", "groups", "extra"), ...requester(request.user) })),
    prepareUpdate: (object, old) => ({ ...object, spec: old["spec"] }),
    validateCreate: (object) => validateRequest(object, undefined),
    validateUpdate: (object, old) => validateRequestChange(object, old, "object"),
  },
  status: {
    resetFields: [["spec"], ["status", "conditions"]],
    prepareUpdate: (object, old, { nowMs }) => withTimes(withOldApprovals(object, old), old, nowMs),
    validateUpdate: (object, old) => validateRequestChange(object, old, "status"),
  },
  subresources: { approval: { type: "Update", verbs: ["get", "patch", "update"], strategy: approvalStrategy() } },
  selectableFields: { "spec.signerName": (object) => stringField(objectField(object, "spec"), "signerName") },
  columns: [
    nameColumn,
    ageColumn,
    {
      name: "SignerName",
      type: "string",
      description: "who is to sign",
      cell: (object) => stringField(objectField(object, "spec"), "signerName") || "<none>",
    },
    { name: "Requestor", type: "string", description: "who asks", cell: (object) => stringField(objectField(object, "spec"), "username") },
    { name: "RequestedDuration", type: "string", description: "for how long", cell: durationCell },
    { name: "Condition", type: "string", description: "how far it has come", cell: conditionCell },
  ],
};

/** Approval changes conditions and nothing else. */
function approvalStrategy(): Strategy {
  return {
    generationOf: "none",
    resetFields: [["spec"], ["status", "certificate"]],
    prepareUpdate: (object, old, { nowMs }) => {
      const timed = objectField(withTimes(object, old, nowMs), "status");
      const { conditions: _conditions, ...status } = objectField(old, "status");
      return {
        ...object,
        spec: old["spec"],
        status: timed["conditions"] === undefined ? status : { ...status, conditions: timed["conditions"] },
      };
    },
    validateUpdate: (object, old) => validateRequestChange(object, old, "approval"),
  };
}

function requester({
  username,
  uid = "",
  groups,
  extra = {},
}: Parameters<NonNullable<Strategy["prepareCreate"]>>[1]["request"]["user"]): JsonObject {
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The signer does not approve: approvals stay as they were, unless one was added or removed, which is refused later. */
function withOldApprovals(object: DynamicObject, old: DynamicObject): DynamicObject {
  const before = objectsField(objectField(old, "status"), "conditions");
  return mapConditions(object, (conditions) => {
    let kept = conditions;
    for (const type of approvals) {
      const isType = (condition: JsonObject): boolean => stringField(condition, "type") === type;
      const ofType = before.filter(isType);
      if (ofType.length !== conditions.filter(isType).length) continue;
      const rest = [...ofType];
      kept = kept.map((condition) => (isType(condition) ? (rest.shift() ?? condition) : condition));
    }
    return kept;
  });
}

function withTimes(object: DynamicObject, old: DynamicObject, nowMs: number): DynamicObject {
  const before = objectsField(objectField(old, "status"), "conditions");
  const now = formatTime(nowMs);
  return mapConditions(object, (conditions) =>
    conditions.map((condition) => {
      const same = before.find((other) => ["type", "status"].every((name) => stringField(other, name) === stringField(condition, name)));
      return {
        ...condition,
        lastUpdateTime: stringField(condition, "lastUpdateTime") || now,
        lastTransitionTime: stringField(condition, "lastTransitionTime") || stringField(same, "lastTransitionTime") || now,
      };
    }),
  );
}

function mapConditions(object: DynamicObject, change: (conditions: readonly JsonObject[]) => readonly JsonObject[]): DynamicObject {
  const conditions = objectsField(objectField(object, "status"), "conditions");
  return conditions.length === 0 ? object : mapPart(object, "status", (status) => ({ ...status, conditions: change(conditions) }));
}

function durationCell(object: DynamicObject): string {
  const seconds = numberField(objectField(object, "spec"), "expirationSeconds");
  return seconds === undefined ? "<none>" : formatSeconds(seconds);
}

function conditionCell(object: DynamicObject): string {
  const status = objectField(object, "status");
  const types = new Set(objectsField(status, "conditions").map((condition) => stringField(condition, "type")));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  return [decision, ...(types.has("Failed") ? ["Failed"] : []), ...(stringField(status, "certificate") === "" ? [] : ["Issued"])].join(",");
}

import { FieldPath, forbiddenField, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withDefaults, withZeroDefaults } from "../../field-defaults.ts";
import { has, numberField, objectField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { statusAlone } from "../../status-strategy.ts";
import { validateConditionTypes } from "./flow-schema.ts";

const path = FieldPath.of("spec");
const mostQueues = 10_000_000;
/** Queues are dealt by a hash of so many bits. */
const hashBits = 60;
const zeroSharesAnnotation = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";

/** `PriorityLevelConfiguration`: how much at a time is done for requests of a priority. */
export const priorityLevelConfiguration: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultSpec),
    validateCreate: validateLevel,
    validateUpdate: validateLevel,
  },
  status: { ...statusAlone, validateUpdate: validateConditionTypes },
  columns: [
    nameColumn,
    {
      name: "Type",
      type: "string",
      description: "whether it is limited",
      cell: (object) => stringField(objectField(object, "spec"), "type"),
    },
    {
      name: "NominalConcurrencyShares",
      type: "string",
      description: "its share",
      cell: (object) => limitCell(object, (limited) => limited, "nominalConcurrencyShares"),
    },
    { name: "Queues", type: "string", description: "how many queues", cell: (object) => limitCell(object, queuingOf, "queues") },
    {
      name: "HandSize",
      type: "string",
      description: "how many of them a flow may use",
      cell: (object) => limitCell(object, queuingOf, "handSize"),
    },
    {
      name: "QueueLengthLimit",
      type: "string",
      description: "how long each may be",
      cell: (object) => limitCell(object, queuingOf, "queueLengthLimit"),
    },
    ageColumn,
  ],
};

function defaultSpec(spec: JsonObject): JsonObject {
  const exempt = mapField(spec, "exempt", (level) => withDefaults(level, { nominalConcurrencyShares: 0, lendablePercent: 0 }));
  return mapField(exempt, "limited", (level) =>
    mapField(withDefaults(level, { nominalConcurrencyShares: 30, lendablePercent: 0 }), "limitResponse", (response) =>
      mapField(response, "queuing", (queuing) => withZeroDefaults(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 })),
    ),
  );
}

function validateLevel(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const isKept = object.metadata.annotations?.[zeroSharesAnnotation] !== undefined;
  const isExempt = stringField(spec, "type") === "Exempt";
  return [
    ...(isKept ? [forbiddenField(FieldPath.of("metadata", "annotations"), `annotation '${zeroSharesAnnotation}' is forbidden`)] : []),
    ...((object.metadata.name === "exempt") === isExempt
      ? []
      : [invalidValue(path.child("type"), stringField(spec, "type"), "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...validateType(spec),
    ...validateConditionTypes(object),
  ];
}

function validateType(spec: JsonObject): readonly FieldError[] {
  const type = stringField(spec, "type");
  const limited = optionalObject(spec, "limited");
  switch (type) {
    case "Exempt":
      return [
        ...(limited === undefined ? [] : [forbiddenField(path.child("limited"), "must be nil if the type is not Limited")]),
        ...validateShares(objectField(spec, "exempt"), path.child("exempt")),
      ];
    case "Limited":
      return [
        ...(has(spec, "exempt") ? [forbiddenField(path.child("exempt"), "must be nil if the type is Limited")] : []),
        ...(limited === undefined
          ? [required(path.child("limited"), "must not be empty when type is Limited")]
          : validateLimited(limited, path.child("limited"))),
      ];
    default:
      return [type === "" ? required(path.child("type")) : notEnumerated(path.child("type"), type, ["Exempt", "Limited"])];
  }
}

function validateShares(level: JsonObject, at: FieldPath): readonly FieldError[] {
  const [shares, lendable] = [numberField(level, "nominalConcurrencyShares") ?? 0, numberField(level, "lendablePercent") ?? 0];
  return [
    ...(shares < 0 ? [invalidValue(at.child("nominalConcurrencyShares"), shares, "must be a non-negative integer")] : []),
    ...(lendable < 0 || lendable > 100
      ? [invalidValue(at.child("lendablePercent"), lendable, "must be between 0 and 100, inclusive")]
      : []),
  ];
}

function validateLimited(limited: JsonObject, at: FieldPath): readonly FieldError[] {
  const borrowing = numberField(limited, "borrowingLimitPercent") ?? 0;
  const [ofShares, ofLending] = [
    validateShares({ ...limited, lendablePercent: 0 }, at),
    validateShares({ ...limited, nominalConcurrencyShares: 0 }, at),
  ];
  return [
    ...ofShares,
    ...validateResponse(objectField(limited, "limitResponse"), at.child("limitResponse")),
    ...ofLending,
    ...(borrowing < 0 ? [invalidValue(at.child("borrowingLimitPercent"), borrowing, "if specified, must be a non-negative integer")] : []),
  ];
}

function validateResponse(response: JsonObject, at: FieldPath): readonly FieldError[] {
  const type = stringField(response, "type");
  const queuing = optionalObject(response, "queuing");
  switch (type) {
    case "Reject":
      return queuing === undefined ? [] : [forbiddenField(at.child("queuing"), "must be nil if limited.limitResponse.type is not Limited")];
    case "Queue":
      return queuing === undefined
        ? [required(at.child("queuing"), "must not be empty if limited.limitResponse.type is Limited")]
        : validateQueuing(queuing, at.child("queuing"));
    default:
      return [type === "" ? required(at.child("type")) : notEnumerated(at.child("type"), type, ["Queue", "Reject"])];
  }
}

function validateQueuing(queuing: JsonObject, at: FieldPath): readonly FieldError[] {
  const [length, queues, hand] = [countOf(queuing, "queueLengthLimit"), countOf(queuing, "queues"), countOf(queuing, "handSize")];
  const errors: FieldError[] = [];
  if (length <= 0) errors.push(invalidValue(at.child("queueLengthLimit"), length, "must be positive"));
  if (queues <= 0) errors.push(invalidValue(at.child("queues"), queues, "must be positive"));
  else if (queues > mostQueues) errors.push(invalidValue(at.child("queues"), queues, `must not be greater than ${mostQueues}`));
  if (hand <= 0) errors.push(invalidValue(at.child("handSize"), hand, "must be positive"));
  else if (hand > queues) errors.push(invalidValue(at.child("handSize"), hand, `should not be greater than queues (${queues})`));
  else if (requiredBits(queues, hand) > hashBits) {
    errors.push(
      invalidValue(
        at.child("handSize"),
        hand,
        `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${hashBits}`,
      ),
    );
  }
  return errors;
}

function countOf(queuing: JsonObject, name: string): number {
  return numberField(queuing, name) ?? 0;
}

/** How many bits it takes to say which queues a hand is of. */
function requiredBits(queues: number, hand: number): number {
  return Math.ceil(Math.log2(queues) * hand);
}

function queuingOf(limited: JsonObject): JsonObject | undefined {
  return optionalObject(objectField(limited, "limitResponse"), "queuing");
}

function limitCell(object: DynamicObject, partOf: (limited: JsonObject) => JsonObject | undefined, name: string): string | number {
  const limited = optionalObject(objectField(object, "spec"), "limited");
  const part = limited === undefined ? undefined : partOf(limited);
  return part === undefined ? "<none>" : (numberField(part, name) ?? 0);
}

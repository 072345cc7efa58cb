import { FieldPath, forbiddenField, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapItems, mapPart, withPresence } from "../../field-defaults.ts";
import { eachItem, invalidFor, optionalOneOf } from "../../field-rules.ts";
import { cidrErrors, isStrictlyWithin, parseRange } from "../../ip-range.ts";
import { field, has, numberField, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { formatSelector, selectorErrors, selectorField } from "../../selector-rules.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { portNameProblems, portNumberProblems } from "../../scalar-rules.ts";

const policyTypes = ["Ingress", "Egress"];

/** `NetworkPolicy`: which traffic pods accept and send. */
export const networkPolicy: KindDetails = {
  strategy: {
    generationOf: "spec",
    countsEmpties: true,
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultSpec),
    validateCreate: (object) => validateSpec(object, []),
    validateUpdate: (object, old) => validateSpec(object, rangesOf(old)),
  },
  columns: [
    nameColumn,
    {
      name: "Pod-Selector",
      type: "string",
      description: "the pods it is for",
      cell: (object) => formatSelector(selectorField(objectField(object, "spec"), "podSelector")),
    },
    ageColumn,
  ],
};

function defaultSpec(spec: JsonObject): JsonObject {
  const inRules = ["ingress", "egress"].reduce((sum, name) => mapItems(sum, name, withProtocols), spec);
  if (stringsField(spec, "policyTypes").length > 0) return inRules;
  return { ...inRules, policyTypes: objectsField(spec, "egress").length > 0 ? policyTypes : ["Ingress"] };
}

function withProtocols(rule: JsonObject): JsonObject {
  return mapItems(rule, "ports", (port) => withPresence(port, { protocol: "TCP" }));
}

/** The ranges a policy has, which stay acceptable whatever is wrong with them. */
function rangesOf(object: DynamicObject): readonly string[] {
  const spec = objectField(object, "spec");
  const peers = [...objectsField(spec, "ingress"), ...objectsField(spec, "egress")].flatMap((rule) => [
    ...objectsField(rule, "from"),
    ...objectsField(rule, "to"),
  ]);
  return peers
    .map((peer) => objectField(peer, "ipBlock"))
    .flatMap((block) => [stringField(block, "cidr"), ...stringsField(block, "except")]);
}

function validateSpec(object: DynamicObject, ranges: readonly string[]): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const validatePeers = (rule: JsonObject, at: FieldPath, peers: string): readonly FieldError[] => [
    ...eachItem(objectsField(rule, "ports"), at.child("ports"), validatePort),
    ...eachItem(objectsField(rule, peers), at.child(peers), (peer, peerPath) => validatePeer(peer, peerPath, ranges)),
  ];
  return [
    ...selectorErrors(spec, "podSelector", path),
    ...eachItem(objectsField(spec, "ingress"), path.child("ingress"), (rule, at) => validatePeers(rule, at, "from")),
    ...eachItem(objectsField(spec, "egress"), path.child("egress"), (rule, at) => validatePeers(rule, at, "to")),
    ...validateTypes(stringsField(spec, "policyTypes"), path.child("policyTypes")),
  ];
}

function validateTypes(types: readonly string[], path: FieldPath): readonly FieldError[] {
  if (types.length > policyTypes.length) return [invalidValue(path, types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) => (policyTypes.includes(type) ? [] : [notEnumerated(path.index(index), type, policyTypes)]));
}

function validatePort(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = optionalOneOf(rule, "protocol", ["TCP", "UDP", "SCTP"], path);
  const port = field(rule, "port");
  const end = numberField(rule, "endPort");
  const endPath = path.child("endPort");
  if (typeof port === "string") {
    const misplaced = end === undefined ? [] : [invalidValue(endPath, end, "may not be specified when `port` is non-numeric")];
    return [...errors, ...misplaced, ...invalidFor(path.child("port"), port, portNameProblems(port))];
  }
  if (typeof port !== "number") {
    return end === undefined ? errors : [...errors, invalidValue(endPath, end, "may not be specified when `port` is not specified")];
  }
  const all = [...errors, ...invalidFor(path.child("port"), port, portNumberProblems(port))];
  if (end === undefined) return all;
  if (end < port) all.push(invalidValue(endPath, port, "must be greater than or equal to `port`"));
  return [...all, ...invalidFor(endPath, end, portNumberProblems(end))];
}

function validatePeer(peer: JsonObject, path: FieldPath, ranges: readonly string[]): readonly FieldError[] {
  const given = ["podSelector", "namespaceSelector", "ipBlock"].filter((name) => has(peer, name));
  const errors = [
    ...selectorErrors(peer, "podSelector", path),
    ...selectorErrors(peer, "namespaceSelector", path),
    ...(has(peer, "ipBlock") ? validateIpBlock(objectField(peer, "ipBlock"), path.child("ipBlock"), ranges) : []),
  ];
  if (given.length === 0) return [...errors, required(path, "must specify a peer")];
  return given.length > 1 && given.includes("ipBlock")
    ? [...errors, forbiddenField(path, "may not specify both ipBlock and another peer")]
    : errors;
}

function validateIpBlock(block: JsonObject, path: FieldPath, ranges: readonly string[]): readonly FieldError[] {
  const text = stringField(block, "cidr");
  if (text === "") return [required(path.child("cidr"))];
  const errors = cidrErrors(path.child("cidr"), text, ranges);
  const range = parseRange(text);
  if (range === undefined) return errors;
  const ofExcept = stringsField(block, "except").flatMap((except, index) => {
    const at = path.child("except").index(index);
    const inner = parseRange(except);
    const isInside = inner === undefined || isStrictlyWithin(inner, range);
    return [...cidrErrors(at, except, ranges), ...(isInside ? [] : [invalidValue(at, except, "must be a strict subset of `cidr`")])];
  });
  return [...errors, ...ofExcept];
}

import {
  FieldPath,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  invalidValue,
  labelValueErrors,
  qualifiedNameErrors,
  required,
  structuralEqual,
  tooMany,
} from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapFields, mapItems, withPresence, withoutFields } from "../../field-defaults.ts";
import { eachItem, immutable, invalidFor, isUnchanged, isUnchangedIn, oneOf, optionalOneOf } from "../../field-rules.ts";
import { endpointIpErrors, ipErrors, parseIp } from "../../ip-address.ts";
import { canonicalIpErrors } from "../../ip-range.ts";
import { has, numberField, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { validateQualifiedDomain } from "../../text-rules.ts";

const mostEndpoints = 1000;
const mostAddresses = 100;
const mostPorts = 20_000;
const mostHints = 8;
const shownItems = 3;
const struct = "discovery.v1.EndpointSlice";

/** `EndpointSlice`: where some of a service's endpoints are. */
export const endpointSlice: KindDetails = {
  strategy: {
    generationOf: "all-but-metadata",
    validateName: subdomainName,
    default: (object) => mapFields(object, (fields) => mapItems(fields, "ports", defaultPort)),
    prepareCreate: withoutTopology,
    prepareUpdate: (object, old) => {
      const counted = withGeneration(object, old);
      return isUnchangedIn(struct, counted, old, "endpoints") ? counted : withoutTopology(counted);
    },
    validateCreate: validateSlice,
    validateUpdate: (object, old) => [...validateSlice(object, old), ...immutable(object, old, ["addressType"], FieldPath.root)],
    warnings: (object, old) =>
      old === undefined && object["addressType"] === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
  },
  columns: [
    nameColumn,
    { name: "AddressType", type: "string", description: "the sort of its addresses", cell: (object) => stringField(object, "addressType") },
    {
      name: "Ports",
      type: "string",
      description: "the ports of every endpoint",
      cell: (object) => someOf(objectsField(object, "ports").map(portText)),
    },
    {
      name: "Endpoints",
      type: "string",
      description: "the addresses",
      cell: (object) => someOf(objectsField(object, "endpoints").flatMap((endpoint) => stringsField(endpoint, "addresses"))),
    },
    ageColumn,
  ],
};

function defaultPort(port: JsonObject): JsonObject {
  return withPresence(port, { name: "", protocol: "TCP" });
}

function withoutTopology(object: DynamicObject): DynamicObject {
  return mapFields(object, (fields) => mapItems(fields, "endpoints", (endpoint) => withoutFields(endpoint, "deprecatedTopology")));
}

/** Labels say which service the slice is of, so a change of them counts; and so does what is about to be dropped. */
function withGeneration(object: DynamicObject, old: DynamicObject): DynamicObject {
  const isSame = ["addressType", "endpoints", "ports"].every((name) => isUnchangedIn(struct, object, old, name));
  if (isSame && structuralEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {})) return object;
  return { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

function validateSlice(object: DynamicObject, old?: DynamicObject): readonly FieldError[] {
  const ofEndpoints = validateEndpoints(object);
  const isSame = old !== undefined && isUnchanged(object, old, "endpoints");
  return [
    ...oneOf(stringField(object, "addressType"), ["FQDN", "IPv4", "IPv6"], FieldPath.of("addressType")),
    ...validatePorts(objectsField(object, "ports")),
    ...(isSame ? [] : ofEndpoints),
  ];
}

function validatePorts(ports: readonly JsonObject[]): readonly FieldError[] {
  if (ports.length > mostPorts) return [tooMany(FieldPath.of("ports"), ports.length, mostPorts)];
  const names = ports.map((port) => stringField(port, "name"));
  return eachItem(ports, FieldPath.of("ports"), (port, path, index) => {
    const [name, protocol] = [stringField(port, "name"), stringField(port, "appProtocol")];
    return [
      ...(name === "" ? [] : invalidFor(path.child("name"), name, dns1123LabelErrors(name))),
      ...(names.indexOf(name) < index ? [duplicate(path.child("name"), name)] : []),
      ...optionalOneOf(port, "protocol", ["SCTP", "TCP", "UDP"], path),
      ...(has(port, "appProtocol") ? invalidFor(path.child("appProtocol"), protocol, qualifiedNameErrors(protocol)) : []),
    ];
  });
}

function validateEndpoints(object: DynamicObject): readonly FieldError[] {
  const endpoints = objectsField(object, "endpoints");
  const path = FieldPath.of("endpoints");
  if (endpoints.length > mostEndpoints) return [tooMany(path, endpoints.length, mostEndpoints)];
  return eachItem(endpoints, path, (endpoint, at) => validateEndpoint(endpoint, stringField(object, "addressType"), at));
}

function validateEndpoint(endpoint: JsonObject, type: string, path: FieldPath): readonly FieldError[] {
  const addresses = stringsField(endpoint, "addresses");
  const at = path.child("addresses");
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, "must contain at least 1 address"));
  else if (addresses.length > mostAddresses) errors.push(tooMany(at, addresses.length, mostAddresses));
  errors.push(...addresses.flatMap((address, index) => validateAddress(address, type, at, index)));
  const [node, hostname] = [stringField(endpoint, "nodeName"), stringField(endpoint, "hostname")];
  if (has(endpoint, "nodeName")) errors.push(...invalidFor(path.child("nodeName"), node, dns1123SubdomainErrors(node)));
  if (has(endpoint, "hostname")) errors.push(...invalidFor(path.child("hostname"), hostname, dns1123LabelErrors(hostname)));
  return [...errors, ...validateHints(objectField(endpoint, "hints"), path.child("hints"))];
}

function validateAddress(address: string, type: string, path: FieldPath, index: number): readonly FieldError[] {
  const at = path.index(index);
  switch (type) {
    case "IPv4":
    case "IPv6": {
      const errors = type === "IPv4" ? ipErrors(at, address) : canonicalIpErrors(at, address);
      if (errors.length > 0) return errors;
      const isOfType = parseIp(address)?.family === type;
      return [...(isOfType ? [] : [invalidValue(path, address, `must be an ${type} address`)]), ...endpointIpErrors(address, at)];
    }
    case "FQDN":
      return validateQualifiedDomain(at, address, 2);
    default:
      return [];
  }
}

function validateHints(hints: JsonObject, path: FieldPath): readonly FieldError[] {
  const zones = validateHintNames(objectsField(hints, "forZones"), path.child("forZones"), labelValueErrors);
  return zones.length === 1 && objectsField(hints, "forZones").length > mostHints
    ? zones
    : [...zones, ...validateHintNames(objectsField(hints, "forNodes"), path.child("forNodes"), dns1123SubdomainErrors)];
}

function validateHintNames(
  hints: readonly JsonObject[],
  path: FieldPath,
  rules: (name: string) => readonly string[],
): readonly FieldError[] {
  if (hints.length > mostHints) return [tooMany(path, hints.length, mostHints)];
  const names = hints.map((hint) => stringField(hint, "name"));
  return names.flatMap((name, index) => {
    const at = path.index(index).child("name");
    return [...(names.indexOf(name) < index ? [duplicate(at, name)] : []), ...invalidFor(at, name, rules(name))];
  });
}

function portText(port: JsonObject): string {
  const number = numberField(port, "port");
  return number === undefined ? (has(port, "name") ? stringField(port, "name") : "*") : String(number);
}

function someOf(items: readonly string[]): string {
  const shown = items.slice(0, shownItems).join(",");
  return items.length > shownItems ? `${shown} + ${items.length - shownItems} more...` : shown || "<unset>";
}

import { FieldPath, invalidValue, required, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapItems, withDefaults } from "../field-defaults.ts";
import { labelErrors, oneOf, qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { endpointIpErrors, ipErrors } from "../ip-address.ts";
import { ipWarnings } from "../ip-warnings.ts";
import { field, has, numberField, objectsField, stringField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { portNumberProblems } from "../scalar-rules.ts";
import { portProtocols } from "./container-validation.ts";

const subsetsPath = FieldPath.of("subsets");
const addressLists: readonly string[] = ["addresses", "notReadyAddresses"];

/** `Endpoints`: where the traffic of services goes, in the older form. */
export const endpointsDetails: KindDetails = {
  storagePrefix: "/registry/services/endpoints/",
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  strategy: {
    validateName: subdomainName,
    createOnUpdate: true,
    default: (endpoints) => {
      const subsets = objectsField(endpoints, "subsets");
      return subsets.length === 0 ? endpoints : { ...endpoints, subsets: subsets.map(defaultSubset) };
    },
    validateCreate: (endpoints) => [...finalizerNameErrors(endpoints), ...subsetErrors(endpoints)],
    validateUpdate: (endpoints, old) => [
      ...metadataUpdateErrors(endpoints, old),
      ...metadataErrorsAgain(endpoints, subdomainName),
      ...(structuralEqual(field(endpoints, "subsets"), field(old, "subsets")) ? [] : subsetErrors(endpoints)),
    ],
    warnings: addressWarnings,
  },
  columns: [
    nameColumn,
    { name: "Endpoints", type: "string", description: "addresses and ports, the first three", cell: shownEndpoints },
    ageColumn,
  ],
};

function defaultSubset(subset: JsonObject): JsonObject {
  return mapItems(subset, "ports", (port) => withDefaults(port, { protocol: "TCP" }));
}

const mostShown = 3;

function shownEndpoints(endpoints: DynamicObject): string {
  const subsets = objectsField(endpoints, "subsets");
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap((subset) => {
    const addresses = objectsField(subset, "addresses").map((address) => stringField(address, "ip"));
    const ports = objectsField(subset, "ports").map((port) => numberField(port, "port") ?? 0);
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  const shown = all.slice(0, mostShown).join(",");
  return all.length > mostShown ? `${shown} + ${all.length - mostShown} more...` : shown;
}

function subsetErrors(endpoints: DynamicObject): readonly FieldError[] {
  return objectsField(endpoints, "subsets").flatMap((subset, index) => {
    const path = subsetsPath.index(index);
    const ports = objectsField(subset, "ports");
    const isEmpty = addressLists.every((list) => objectsField(subset, list).length === 0);
    return [
      ...(isEmpty ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...addressLists.flatMap((list) =>
        objectsField(subset, list).flatMap((address, position) => addressErrors(address, path.child(list).index(position))),
      ),
      ...ports.flatMap((port, position) => portErrors(port, ports.length > 1, path.child("ports").index(position))),
    ];
  });
}

/** Those that the cluster itself makes are not looked at. */
function addressWarnings(endpoints: DynamicObject): readonly string[] {
  if (endpoints.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return objectsField(endpoints, "subsets").flatMap((subset, index) =>
    addressLists.flatMap((list) =>
      objectsField(subset, list).flatMap((address, position) =>
        ipWarnings(subsetsPath.index(index).child(list).index(position).child("ip"), stringField(address, "ip")),
      ),
    ),
  );
}

function addressErrors(address: JsonObject, path: FieldPath): readonly FieldError[] {
  const [ip, hostname] = [stringField(address, "ip"), stringField(address, "hostname")];
  return [
    ...ipErrors(path.child("ip"), ip),
    ...(hostname === "" ? [] : labelErrors(hostname, path.child("hostname"))),
    ...(has(address, "nodeName") ? subdomainErrors(stringField(address, "nodeName"), path.child("nodeName")) : []),
    ...endpointIpErrors(ip, path.child("ip")),
  ];
}

function portErrors(port: JsonObject, needsName: boolean, path: FieldPath): readonly FieldError[] {
  const name = stringField(port, "name");
  const number = numberField(port, "port") ?? 0;
  return [
    ...(name === "" ? (needsName ? [required(path.child("name"))] : []) : labelErrors(name, path.child("name"))),
    ...portNumberProblems(number).map((problem) => invalidValue(path.child("port"), number, problem)),
    ...oneOf(stringField(port, "protocol"), portProtocols, path.child("protocol")),
    ...(has(port, "appProtocol") ? qualifiedErrors(stringField(port, "appProtocol"), path.child("appProtocol")) : []),
  ];
}

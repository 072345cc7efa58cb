import {
  FieldPath,
  Quantity,
  dns1123SubdomainErrors,
  duplicate,
  invalidValue,
  qualifiedNameErrors,
  required,
  structuralEqual,
  tooLong,
} from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapPart, withPresence, withoutFields } from "../../field-defaults.ts";
import { eachItem, immutable, invalidFor, nonNegatives, optionalOneOf } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import {
  booleanField,
  field,
  has,
  listField,
  numberField,
  objectField,
  objectsField,
  specOf,
  stringField,
  stringsField,
} from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { selectorErrors } from "../../selector-rules.ts";
import { subdomainName } from "../../metadata-validation.ts";

const longestDriverName = 63;
const longestNodeId = 256;
const tokenAdvice =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

/** `CSIDriver`: a storage driver and what it can do. */
export const csiDriver: KindDetails = {
  strategy: {
    unconditionalUpdate: false,
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", defaultDriver),
    prepareCreate: (object) => mapPart(object, "spec", (spec) => withoutFields(spec, "preventPodSchedulingIfMissing")),
    prepareUpdate: prepareDriverUpdate,
    validateCreate: validateDriver,
    validateUpdate: (object, old) => [...validateDriver(object), ...validateDriverUpdate(object, old)],
    warnings: (object, old) => (needsTokenAdvice(object, old) ? [tokenAdvice] : []),
  },
  columns: [
    nameColumn,
    {
      name: "AttachRequired",
      type: "boolean",
      description: "whether volumes are attached to nodes",
      cell: (object) => field(specOf(object), "attachRequired") !== false,
    },
    {
      name: "PodInfoOnMount",
      type: "boolean",
      description: "whether it hears of the pod",
      cell: (object) => booleanField(specOf(object), "podInfoOnMount"),
    },
    {
      name: "StorageCapacity",
      type: "boolean",
      description: "whether it tells how much room it has",
      cell: (object) => booleanField(specOf(object), "storageCapacity"),
    },
    { name: "TokenRequests", type: "string", description: "for whom it gets tokens", cell: audiencesCell },
    {
      name: "RequiresRepublish",
      type: "boolean",
      description: "whether it is called again and again",
      cell: (object) => booleanField(specOf(object), "requiresRepublish"),
    },
    {
      name: "Modes",
      type: "string",
      description: "how volumes come and go",
      cell: (object) => stringsField(specOf(object), "volumeLifecycleModes").join(",") || "<none>",
    },
    ageColumn,
  ],
};

/** `CSINode`: which storage drivers a node has. */
export const csiNode: KindDetails = {
  strategy: {
    unconditionalUpdate: false,
    validateName: subdomainName,
    validateCreate: validateNode,
    validateUpdate: (object, old) => [...validateNode(object), ...validateNodeUpdate(object, old)],
  },
  columns: [
    nameColumn,
    {
      name: "Drivers",
      type: "integer",
      description: "how many drivers it has",
      cell: (object) => listField(specOf(object), "drivers").length,
    },
    ageColumn,
  ],
};

/** `CSIStorageCapacity`: how much room a storage class has for nodes of some topology. */
export const csiStorageCapacity: KindDetails = {
  strategy: {
    unconditionalUpdate: false,
    validateName: subdomainName,
    validateCreate: validateCapacity,
    validateUpdate: (object, old) => [
      ...validateCapacity(object),
      ...immutable(object, old, ["nodeTopology", "storageClassName"], FieldPath.root),
    ],
  },
};

/** The name of a driver. */
export function validateDriverName(name: string, path: FieldPath): readonly FieldError[] {
  if (name === "") return [required(path)];
  const errors = Buffer.byteLength(name) > longestDriverName ? [tooLong(path, longestDriverName)] : [];
  return [...errors, ...invalidFor(path, name, dns1123SubdomainErrors(name.toLowerCase()))];
}

function defaultDriver(spec: JsonObject): JsonObject {
  const modes = stringsField(spec, "volumeLifecycleModes");
  return withPresence(modes.length === 0 ? { ...spec, volumeLifecycleModes: ["Persistent"] } : spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
  });
}

/** The first change of a driver makes its first generation: none is counted before. */
function prepareDriverUpdate(object: DynamicObject, old: DynamicObject): DynamicObject {
  const prepared = mapPart(object, "spec", (spec) =>
    has(specOf(old), "preventPodSchedulingIfMissing") ? spec : withoutFields(spec, "preventPodSchedulingIfMissing"),
  );
  if (structuralEqual(specOf(prepared), specOf(old))) return prepared;
  return { ...prepared, metadata: { ...prepared.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

function validateDriver(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = specOf(object);
  const period = numberField(spec, "nodeAllocatableUpdatePeriodSeconds");
  const modes = ["Persistent", "Ephemeral"];
  const errors: FieldError[] = [
    ...optionalOneOf(spec, "fsGroupPolicy", ["File", "None", "ReadWriteOnceWithFSType"], path),
    ...validateTokenRequests(objectsField(spec, "tokenRequests"), path.child("tokenRequests")),
    ...stringsField(spec, "volumeLifecycleModes").flatMap((mode) =>
      modes.includes(mode) ? [] : [notEnumerated(path.child("volumeLifecycleModes"), mode, modes)],
    ),
  ];
  if (period !== undefined && period < 10) {
    errors.push(invalidValue(path.child("nodeAllocatableUpdatePeriodSeconds"), period, "must be greater than or equal to 10 seconds"));
  }
  if (has(spec, "serviceAccountTokenInSecrets") && objectsField(spec, "tokenRequests").length === 0) {
    const rule = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalidValue(path.child("serviceAccountTokenInSecrets"), field(spec, "serviceAccountTokenInSecrets"), rule));
  }
  return errors;
}

function validateTokenRequests(requests: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  const audiences = requests.map((request) => stringField(request, "audience"));
  return eachItem(requests, path, (request, at, index) => {
    const audience = stringField(request, "audience");
    if (audiences.indexOf(audience) < index) return [duplicate(at.child("audience"), audience)];
    const seconds = numberField(request, "expirationSeconds");
    if (seconds === undefined) return [];
    const tooShort = seconds < 600 ? ["may not specify a duration less than 10 minutes"] : [];
    return invalidFor(
      at.child("expirationSeconds"),
      seconds,
      seconds > 2 ** 32 ? ["may not specify a duration larger than 2^32 seconds"] : tooShort,
    );
  });
}

/** The real server misspells the first of the two paths. */
function validateDriverUpdate(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const attach = [field(specOf(object), "attachRequired"), field(specOf(old), "attachRequired")];
  return [
    ...(attach[0] === attach[1] ? [] : [invalidValue(path.child("attachedRequired"), attach[0], "field is immutable")]),
    ...immutable(specOf(object), specOf(old), ["volumeLifecycleModes"], path),
  ];
}

function needsTokenAdvice(object: DynamicObject, old: DynamicObject | undefined): boolean {
  const [spec, before] = [specOf(object), old === undefined ? undefined : specOf(old)];
  const isNew = before === undefined || !structuralEqual(listField(spec, "tokenRequests"), listField(before, "tokenRequests"));
  return isNew && listField(spec, "tokenRequests").length > 0 && !has(spec, "serviceAccountTokenInSecrets");
}

function validateNode(object: DynamicObject): readonly FieldError[] {
  const drivers = objectsField(specOf(object), "drivers");
  const names = drivers.map((driver) => stringField(driver, "name"));
  return eachItem(drivers, FieldPath.of("spec", "drivers"), (driver, path, index) => {
    const [name, id, keys] = [stringField(driver, "name"), stringField(driver, "nodeID"), stringsField(driver, "topologyKeys")];
    return [
      ...validateDriverName(name, path.child("name")),
      ...(id === "" ? [required(path.child("nodeID"))] : []),
      ...(Buffer.byteLength(id) > longestNodeId
        ? [invalidValue(path.child("nodeID"), id, `must be ${longestNodeId} characters or less`)]
        : []),
      ...nonNegatives(objectField(driver, "allocatable"), ["count"], path.child("allocatable")),
      ...(names.indexOf(name) < index ? [duplicate(path.child("name"), name)] : []),
      ...keys.flatMap((key, position) => [
        ...(key === "" ? [required(path)] : []),
        ...(keys.indexOf(key) < position ? [duplicate(path, key)] : []),
        ...invalidFor(path, key, qualifiedNameErrors(key)),
      ]),
    ];
  });
}

/** A driver stays as it is while the node has it, but for how many volumes it takes. */
function validateNodeUpdate(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const before = objectsField(specOf(old), "drivers");
  return objectsField(specOf(object), "drivers").flatMap((driver) => {
    const same = before.find((other) => stringField(other, "name") === stringField(driver, "name"));
    if (same === undefined || structuralEqual(withoutFields(driver, "allocatable"), withoutFields(same, "allocatable"))) return [];
    const shown = internalForm("storage.v1.CSINodeDriver", withoutFields(driver, "allocatable"));
    return [invalidValue(FieldPath.of("spec", "drivers"), shown, "field is immutable")];
  });
}

function validateCapacity(object: DynamicObject): readonly FieldError[] {
  const [className, capacity] = [stringField(object, "storageClassName"), stringField(object, "capacity")];
  const isNegative = capacity !== "" && Quantity.parse(capacity).compare(Quantity.parse("0")) < 0;
  return [
    ...selectorErrors(object, "nodeTopology", FieldPath.root),
    ...invalidFor(FieldPath.of("storageClassName"), className, dns1123SubdomainErrors(className)),
    ...(isNegative ? [invalidValue(FieldPath.of("capacity"), capacity, "must be greater than or equal to 0")] : []),
  ];
}

function audiencesCell(object: DynamicObject): string {
  const spec = specOf(object);
  if (!has(spec, "tokenRequests")) return "<unset>";
  return objectsField(spec, "tokenRequests")
    .map((request) => stringField(request, "audience"))
    .join(",");
}

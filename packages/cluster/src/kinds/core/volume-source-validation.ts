import { invalidValue, notSupported, required, tooLong, dns1123SubdomainErrors } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors, optionalOneOf, requiredField, requiredFields, subdomainErrors } from "../field-rules.ts";
import { booleanField, field, has, listField, numberField, optionalObject, stringField, stringsField } from "../json-fields.ts";
import { subdomainName } from "../metadata-validation.ts";
import { rangeProblems } from "../scalar-rules.ts";
import { backstepErrors, descendingPathErrors } from "./path-rules.ts";

/** What is wrong with one way to provide a volume. */
export type SourceRule = (source: JsonObject, path: FieldPath) => readonly FieldError[];

/** Sources of volumes that a pod may name itself, besides those made of API objects. */
export const inlineSourceRules: Readonly<Record<string, SourceRule>> = {
  ...commonRules(),
  gitRepo: (source, path) => [
    ...requiredField(source, "repository", path),
    ...descendingPathErrors(stringField(source, "directory"), path.child("directory")),
  ],
  glusterfs: (source, path) => requiredFields(source, ["endpoints", "path"], path),
  iscsi: (source, path) => iscsiErrors(source, path, "must be valid format starting with iqn, eui, or naa"),
  rbd: (source, path) => [...monitorErrors(source, path), ...requiredField(source, "image", path)],
  cephfs: monitorErrors,
  cinder: (source, path) => [...requiredField(source, "volumeID", path), ...secretNameErrors(source, path)],
  azureFile: (source, path) => requiredFields(source, ["secretName", "shareName"], path),
  storageos: (source, path) => [...storageOsErrors(source, path), ...secretNameErrors(source, path)],
  csi: (source, path) => {
    const secret = optionalObject(source, "nodePublishSecretRef");
    const name = stringField(secret, "name");
    if (secret === undefined) return driverErrors(source, path);
    const problems =
      name === ""
        ? [required(path.child("nodePublishSecretRef", "name"))]
        : subdomainName(name, { prefix: false }).map((problem) => invalidValue(path.child("name"), name, problem));
    return [...driverErrors(source, path), ...problems];
  },
};

/** Sources of persistent volumes. */
export const persistentSourceRules: Readonly<Record<string, SourceRule>> = {
  ...commonRules(),
  glusterfs: (source, path) => [...requiredFields(source, ["endpoints", "path"], path), ...endpointsNamespaceErrors(source, path)],
  iscsi: (source, path) => [...iscsiErrors(source, path, "must be valid format"), ...secretNameErrors(source, path)],
  rbd: (source, path) => [...monitorErrors(source, path), ...requiredField(source, "image", path)],
  cephfs: monitorErrors,
  cinder: (source, path) => [...requiredField(source, "volumeID", path), ...secretErrors(source, path)],
  azureFile: (source, path) => [
    ...requiredFields(source, ["secretName", "shareName"], path),
    ...(has(source, "secretNamespace") && stringField(source, "secretNamespace") === "" ? [required(path.child("secretNamespace"))] : []),
  ],
  storageos: (source, path) => [...storageOsErrors(source, path), ...secretErrors(source, path)],
  local: (source, path) => {
    const at = stringField(source, "path");
    return at === "" ? [required(path.child("path"))] : backstepErrors(at, path.child("path"));
  },
  csi: (source, path) => [
    ...driverErrors(source, path),
    ...requiredField(source, "volumeHandle", path),
    ...["controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"].flatMap((name) => {
      const secret = optionalObject(source, name);
      return secret === undefined ? [] : secretReferenceErrors(secret, path.child(name));
    }),
  ],
};

const hostPathTypes = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

function commonRules(): Readonly<Record<string, SourceRule>> {
  return {
    hostPath: (source, path) => {
      const at = stringField(source, "path");
      if (at === "") return [required(path.child("path"))];
      return [...backstepErrors(at, path.child("path")), ...optionalOneOf(source, "type", hostPathTypes, path)];
    },
    gcePersistentDisk: (source, path) => [...requiredField(source, "pdName", path), ...partitionErrors(source, path)],
    awsElasticBlockStore: (source, path) => [...requiredField(source, "volumeID", path), ...partitionErrors(source, path)],
    nfs: (source, path) => {
      const at = stringField(source, "path");
      const relative = at.startsWith("/") ? [] : [invalidValue(path.child("path"), at, "must be an absolute path")];
      return [...requiredFields(source, ["server", "path"], path), ...relative];
    },
    flocker: flockerErrors,
    quobyte: quobyteErrors,
    fc: fibreChannelErrors,
    flexVolume: flexErrors,
    vsphereVolume: (source, path) => requiredField(source, "volumePath", path),
    photonPersistentDisk: (source, path) => requiredField(source, "pdID", path),
    portworxVolume: (source, path) => requiredField(source, "volumeID", path),
    azureDisk: azureDiskErrors,
    scaleIO: (source, path) => requiredFields(source, ["gateway", "system", "volumeName"], path),
  };
}

function partitionErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const partition = numberField(source, "partition") ?? 0;
  const isFine = partition >= 0 && partition <= 255;
  return isFine ? [] : [invalidValue(path.child("partition"), partition, "must be between 1 and 255, inclusive")];
}

function monitorErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  return listField(source, "monitors").length === 0 ? [required(path.child("monitors"))] : [];
}

function secretNameErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const secret = optionalObject(source, "secretRef");
  return secret === undefined ? [] : requiredField(secret, "name", path.child("secretRef"));
}

function secretErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const secret = optionalObject(source, "secretRef");
  return secret === undefined ? [] : requiredFields(secret, ["name", "namespace"], path.child("secretRef"));
}

function secretReferenceErrors(secret: JsonObject, path: FieldPath): readonly FieldError[] {
  const [name, namespace] = [stringField(secret, "name"), stringField(secret, "namespace")];
  return [
    ...(name === "" ? [required(path.child("name"))] : subdomainErrors(name, path.child("name"))),
    ...(namespace === "" ? [required(path.child("namespace"))] : labelErrors(namespace, path.child("namespace"))),
  ];
}

/** What is wrong with the name of a CSI driver. */
function driverErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const driver = stringField(source, "driver");
  const at = path.child("driver");
  if (driver === "") return [required(at)];
  const problems = dns1123SubdomainErrors(driver.toLowerCase()).map((problem) => invalidValue(at, driver, problem));
  return driver.length > 63 ? [tooLong(at, 63), ...problems] : problems;
}

function storageOsErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const [name, namespace] = [stringField(source, "volumeName"), stringField(source, "volumeNamespace")];
  return [
    ...(name === "" ? [required(path.child("volumeName"))] : labelErrors(name, path.child("volumeName"))),
    ...(namespace === "" ? [] : labelErrors(namespace, path.child("volumeNamespace"))),
  ];
}

function endpointsNamespaceErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(source, "endpointsNamespace")) return [];
  const at = path.child("endpointsNamespace");
  const namespace = stringField(source, "endpointsNamespace");
  if (namespace === "") return [invalidValue(at, namespace, "if the endpointnamespace is set, it must be a valid namespace name")];
  return labelErrors(namespace, at);
}

function iscsiErrors(source: JsonObject, path: FieldPath, otherPrefix: string): readonly FieldError[] {
  const errors = [...requiredField(source, "targetPortal", path)];
  const iqn = stringField(source, "iqn");
  errors.push(...(iqn === "" ? [required(path.child("iqn"))] : qualifiedNameOf(iqn, path.child("iqn"), otherPrefix)));
  const lun = numberField(source, "lun") ?? 0;
  errors.push(...rangeProblems(lun, 0, 255).map((problem) => invalidValue(path.child("lun"), lun, problem)));
  const wantsSecret = booleanField(source, "chapAuthDiscovery") || booleanField(source, "chapAuthSession");
  if (wantsSecret && !has(source, "secretRef")) errors.push(required(path.child("secretRef")));
  if (has(source, "initiatorName"))
    errors.push(...qualifiedNameOf(stringField(source, "initiatorName"), path.child("initiatorname"), otherPrefix));
  return errors;
}

const initiatorForms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

function qualifiedNameOf(name: string, path: FieldPath, otherPrefix: string): readonly FieldError[] {
  const form = initiatorForms[name.slice(0, 3)];
  if (form === undefined) return [invalidValue(path, name, otherPrefix)];
  return form.test(name) ? [] : [invalidValue(path, name, "must be valid format")];
}

function flockerErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const [name, uuid] = [stringField(source, "datasetName"), stringField(source, "datasetUUID")];
  const errors: FieldError[] = [];
  if (name === "" && uuid === "") errors.push(required(path, "one of datasetName and datasetUUID is required"));
  if (name !== "" && uuid !== "")
    errors.push(invalidValue(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  if (name.includes("/")) errors.push(invalidValue(path.child("datasetName"), name, "must not contain '/'"));
  return errors;
}

function quobyteErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const registry = stringField(source, "registry");
  const rule = "must be a host:port pair or multiple pairs separated by commas";
  const errors: FieldError[] = [];
  if (registry === "") errors.push(required(path.child("registry"), rule));
  else if (stringField(source, "tenant").length >= 65) {
    errors.push(required(path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters"));
  } else {
    const wrong = registry.split(",").filter((pair) => !/^(\[[^\]]*\]|[^:]*):[^:]*$/.test(pair));
    errors.push(...wrong.map(() => invalidValue(path.child("registry"), registry, rule)));
  }
  return [...errors, ...requiredField(source, "volume", path)];
}

function fibreChannelErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const [targets, ids] = [stringsField(source, "targetWWNs"), stringsField(source, "wwids")];
  const lun = numberField(source, "lun");
  const errors: FieldError[] = [];
  if (targets.length === 0 && ids.length === 0) {
    errors.push(required(path.child("targetWWNs"), "must specify either targetWWNs or wwids, but not both"));
  }
  if (targets.length === 0) return errors;
  if (ids.length > 0)
    errors.push(invalidValue(path.child("targetWWNs"), targets, "targetWWNs and wwids can not be specified simultaneously"));
  if (lun === undefined) return [...errors, required(path.child("lun"), "lun is required if targetWWNs is specified")];
  return [...errors, ...rangeProblems(lun, 0, 255).map((problem) => invalidValue(path.child("lun"), lun, problem))];
}

function flexErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const reserved = Object.keys(optionalObject(source, "options") ?? {}).filter((key) =>
    /(^|\.)(kubernetes|k8s)\.io$/i.test(key.split("/", 1).join("")),
  );
  return [
    ...requiredField(source, "driver", path),
    ...reserved.map((key) => invalidValue(path.child("options").key(key), key, "kubernetes.io and k8s.io namespaces are reserved")),
  ];
}

function azureDiskErrors(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const [uri, kind] = [stringField(source, "diskURI"), stringField(source, "kind")];
  const errors = [
    ...requiredFields(source, ["diskName", "diskURI"], path),
    ...optionalOneOf(source, "cachingMode", ["None", "ReadOnly", "ReadWrite"], path),
    ...optionalOneOf(source, "kind", ["Dedicated", "Managed", "Shared"], path),
  ];
  if (!has(source, "kind")) return errors;
  const [prefix, form] =
    kind === "Managed"
      ? ["/subscriptions/", "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"]
      : ["https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"];
  return uri.startsWith(prefix) ? errors : [...errors, notSupported(path.child("diskURI"), field(source, "diskURI") ?? "", [form])];
}

import { stringifyJson } from "@kaji/core";
import type { JsonValue, TransportRequest } from "@kaji/core";
import { anyValue, damaged, deepJson, mutated, oddTexts, prototypeKeys } from "../random/broken-json.ts";
import type { Dice } from "../random/dice.ts";
import { samples } from "./samples.ts";
import type { Sample } from "./samples.ts";

type Method = TransportRequest["method"];

/** Writes, which have more to get wrong, come more often. */
const methods: readonly Method[] = [
  ...(["GET", "GET", "POST", "POST", "POST", "POST", "PUT", "PUT", "PUT", "PATCH", "PATCH", "PATCH", "PATCH", "PATCH"] as const),
  ...(["DELETE", "HEAD", "OPTIONS"] as const),
];
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const bodyTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const oddTypes = [
  "",
  "text/plain",
  "application/cbor",
  "application/json; charset=",
  ";;;",
  "*/*",
  "application/",
  "x".repeat(5000),
  ...prototypeKeys,
];
const accepts = [
  "*/*",
  "application/json",
  "application/yaml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=__proto__;v=constructor;g=toString",
  "application/json;q=abc",
  ",,,;;;===",
  "application/vnd.kubernetes.protobuf",
  "a/b;".repeat(500),
];
const parameters = [
  "watch",
  "limit",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "labelSelector",
  "fieldSelector",
  "sendInitialEvents",
  "allowWatchBookmarks",
  "timeoutSeconds",
  "timeout",
  "dryRun",
  "fieldManager",
  "fieldValidation",
  "force",
  "pretty",
  "includeObject",
  "gracePeriodSeconds",
  "propagationPolicy",
  "orphanDependents",
  ...prototypeKeys,
];
const parameterValues = [
  ...oddTexts,
  "true",
  "1",
  "0",
  "-1",
  "99999999999999999999",
  "All",
  "Strict",
  "Exact",
  "a in (",
  "a in (b,c),!d,e notin (f)",
  "(((((",
  "metadata.name=",
  "a=b=c",
  "=,=,=",
  "x>1,y<z",
  "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi8uLiJ9",
  "e30",
  "bm90IGpzb24",
  "a,".repeat(500),
];

/** A request that some client might send by mistake, or on purpose. Some of them are valid after all. */
export function malformedRequest(dice: Dice): TransportRequest {
  const sample = dice.of(samples);
  const method = dice.of(methods);
  const { type, body } = bodyFor(method, sample, dice);
  const headers: Record<string, string> = { "user-agent": dice.of(["fuzz/1", "", "/", "x".repeat(200), "\u0001"]) };
  if (body !== undefined || dice.onceIn(5)) headers["content-type"] = dice.onceIn(25) ? dice.of(oddTypes) : type;
  if (!dice.onceIn(3)) headers["accept"] = dice.onceIn(10) ? dice.of(accepts) : "application/json";
  return { method, path: pathFor(method, sample, dice) + query(method, dice), headers, body };
}

/** Mostly a path that has the method, so that what is wrong with the rest is found out. */
function pathFor(method: Method, { path: collection, name }: Sample, dice: Dice): string {
  const namesOne = dice.onceIn(15) || (method === "POST" ? false : method === "PUT" || method === "PATCH" || !dice.onceIn(3));
  const whole = namesOne ? `${collection}/${name}` : collection;
  const below = namesOne && dice.onceIn(8) ? `${whole}/${dice.of(subresources)}` : whole;
  if (!dice.onceIn(12)) return below;
  const segments = below.split("/");
  const at = 1 + dice.below(segments.length);
  return segments.toSpliced(at, dice.below(2), dice.of(oddSegments)).join("/");
}

const subresources = ["status", "status", "scale", "scale", "finalize", "eviction", "nope", ...prototypeKeys];
const oddSegments = [
  ...prototypeKeys,
  ...["..", ".", "", "%", "%zz", "%00", "%2F", "%ff%fe", "a%20b", "A", "~", "x".repeat(3000), "watch", "namespaces"],
];

function query(method: Method, dice: Dice): string {
  if (!dice.onceIn(method === "GET" ? 1 : 4)) return "";
  const pairs = Array.from({ length: 1 + dice.below(3) }, () => {
    const value = dice.of(parameterValues);
    const written = dice.onceIn(10) ? value : encodeURIComponent(value.toWellFormed());
    return `${dice.of(parameters)}=${written}`;
  });
  // Without it an open watch would wait for somebody to come and read it.
  return `?${pairs.join("&")}${method === "GET" ? "&timeoutSeconds=1" : ""}`;
}

interface Body {
  readonly type: string;
  readonly body: Uint8Array | undefined;
}

function bodyFor(method: Method, sample: Sample, dice: Dice): Body {
  if (method === "GET" && !dice.onceIn(10)) return { type: "application/json", body: undefined };
  if (method === "PATCH") return { type: dice.of(patchTypes), body: written(patchFor(sample, dice), dice) };
  const type = dice.onceIn(4) ? dice.of(bodyTypes) : "application/json";
  if (type === "application/vnd.kubernetes.protobuf") return { type, body: brokenProtobuf(dice) };
  if (type === "application/yaml" && dice.onceIn(2)) return { type, body: Buffer.from(dice.of(oddYaml)) };
  const options = {
    kind: "DeleteOptions",
    apiVersion: "v1",
    gracePeriodSeconds: 1,
    preconditions: { uid: "x" },
    propagationPolicy: "Orphan",
  };
  return { type, body: written(method === "DELETE" ? options : sample.object, dice) };
}

function written(value: JsonValue, dice: Dice): Uint8Array | undefined {
  switch (dice.below(20)) {
    case 0:
      return undefined;
    case 1:
      return dice.bytes(dice.below(100));
    case 2:
      return dice.onceIn(30) ? Buffer.from(deepJson(dice)) : Buffer.from(stringifyJson(anyValue(dice)));
    case 3:
      return dice.onceIn(150) ? Buffer.from(`{"metadata":{"name":"${"x".repeat(3_200_000)}"}}`) : damaged(stringifyJson(value), dice);
    case 4:
    case 5:
    case 6:
      return damaged(stringifyJson(value), dice);
    default: {
      let changed = value;
      for (let changes = 1 + dice.below(3); changes > 0; changes--) changed = mutated(changed, dice);
      return Buffer.from(stringifyJson(changed));
    }
  }
}

const oddYaml: readonly string[] = [
  "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n",
  "a: &a [*a]\n",
  "metadata: {name: !!binary aGVsbG8=}\n",
  "metadata: !!js/function 'function () {}'\n",
  "metadata: {name: 2001-01-01}\n",
  "? [complex]\n: key\n",
  "---\na: 1\n---\nb: 2\n",
  "\tmetadata: tab\n",
  "<<: {metadata: {name: merged}}\n",
  "__proto__: {polluted: true}\nmetadata: {name: a}\n",
  "metadata:\n  name: 'unclosed\n",
  `${"- ".repeat(2000)}x`,
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "%YAML 9.9\n---\n{}",
  "*unknown",
];

/** Bytes that begin like a message, and go on as they please. */
function brokenProtobuf(dice: Dice): Uint8Array {
  const type = Buffer.from([0x0a, 0x0f, 0x0a, 0x02, 0x76, 0x31, 0x12, 0x09, ...Buffer.from("ConfigMap")]);
  const object = Buffer.from([0x0a, 0x03, 0x0a, 0x01, 0x61, 0x12, 0x06, 0x0a, 0x01, 0x6b, 0x12, 0x01, 0x76]);
  const message = Buffer.concat([Buffer.from("k8s\0"), type, Buffer.from([0x12, object.length]), object]);
  const bytes = Buffer.from(dice.onceIn(4) ? Buffer.concat([Buffer.from("k8s\0"), dice.bytes(dice.below(60))]) : message);
  for (let changes = dice.below(4); changes > 0; changes--) bytes[4 + dice.below(bytes.length - 4)] = dice.below(256);
  return dice.onceIn(3) ? bytes.subarray(0, dice.below(bytes.length)) : bytes;
}

function patchFor({ object }: Sample, dice: Dice): JsonValue {
  const pointers = [
    "",
    "/",
    "/metadata",
    "/metadata/labels/a~1b",
    "/spec/0",
    "/metadata/finalizers/-",
    "/metadata/finalizers/999999999",
    "/data/__proto__",
    "/~2",
    "x",
  ];
  const operations = ["add", "remove", "replace", "move", "copy", "test", "nope", "__proto__"];
  const operation = (): JsonValue => ({ op: dice.of(operations), path: dice.of(pointers), from: dice.of(pointers), value: anyValue(dice) });
  switch (dice.below(4)) {
    case 0:
      return Array.from({ length: dice.below(6) }, operation);
    case 1:
      return { $patch: dice.of(["delete", "replace", "nope"]), "$setElementOrder/containers": anyValue(dice), $retainKeys: anyValue(dice) };
    case 2:
      return {
        metadata: { "$deleteFromPrimitiveList/finalizers": anyValue(dice), managedFields: anyValue(dice), ownerReferences: anyValue(dice) },
      };
    default:
      return object;
  }
}

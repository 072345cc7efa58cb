import { declare, functionTable, overload } from "../check/declaration.ts";
import type { FunctionTable } from "../check/declaration.ts";
import { dynType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { MadeObject } from "../value/made-object.ts";
import { ErrorValue, kindOf } from "../value/value.ts";
import type { Kind, Value } from "../value/value.ts";
import { kubernetesFunctions } from "./kubernetes.ts";

/** The functions of expressions that make patches: those of Kubernetes, and `jsonpatch.escapeKey`. */
export const patchFunctions: FunctionTable = functionTable([
  [...kubernetesFunctions.values()],
  [
    declare(
      "jsonpatch.escapeKey",
      overload("string_jsonpatch_escapeKey_string", [stringType], stringType, (key) =>
        key.replaceAll(/[/~]/g, (character) => (character === "/" ? "~1" : "~0")),
      ),
    ),
  ],
]);

const [jsonPatchName, objectName] = ["JSONPatch", "Object"];
const textFields = ["op", "path", "from"];

/** One operation of a JSON patch. */
export const jsonPatchType: Type<MadeObject> = {
  kind: "struct",
  name: jsonPatchName,
  parameters: [],
  fields: new Map([...textFields.map((name): [string, Type] => [name, stringType]), ["value", dynType]]),
};

/** The type of `Object{…}`, an apply configuration: any field may be set. */
export const patchObjectType: Type<MadeObject> = openType(objectName);

/** The types of which patches are made, by name: `JSONPatch`, `Object`, and one for each field of it, such as `Object.spec.template`. */
export function patchType(name: string): Type | undefined {
  if (name === jsonPatchName) return jsonPatchType;
  return name === objectName || name.startsWith(`${objectName}.`) ? openType(name) : undefined;
}

/** Makes an object of a type; an error when a value is not what its field is for. */
export function makePatchPart(typeName: string, fields: ReadonlyMap<string, Value>): MadeObject | ErrorValue {
  for (const name of typeName === jsonPatchName ? textFields : []) {
    const value = fields.get(name);
    if (value !== undefined && typeof value !== "string") {
      return new ErrorValue(`unexpected type ${goTypes[kindOf(value)] ?? kindOf(value)} for JSONPatchType '${name}' field`);
    }
  }
  return new MadeObject(typeName, fields);
}

/** An object of whose fields nothing is known. */
function openType(name: string): Type<MadeObject> {
  return { kind: "struct", name, parameters: [], fields: new Map(), otherFields: dynType };
}

/** The Go type of a kind of value, as error messages name it. */
const goTypes: Readonly<Partial<Record<Kind, string>>> = {
  null: "structpb.NullValue",
  bool: "bool",
  int: "int64",
  bytes: "[]uint8",
  double: "float64",
  uint: "uint64",
  timestamp: "time.Time",
  duration: "time.Duration",
  list: "[]ref.Val",
  map: "map[ref.Val]ref.Val",
};

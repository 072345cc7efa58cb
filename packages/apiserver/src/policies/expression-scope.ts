import {
  authorizerType,
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  resourceCheckType,
  stringType,
  timestampType,
} from "@kaji/cel";
import type { Environment, Type } from "@kaji/cel";

/** What an expression about a write may speak of, beyond the objects, the request and the namespace. */
export interface ExpressionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Whether it says how the object is to be changed. Default false. */
  readonly makesPatches?: boolean | undefined;
  /** The types of the policy's variables; undefined where there is no composition. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  /** The type of the written object, where it is known of what kind it is. Default anything. */
  readonly objects?: Type | undefined;
  /** The type of the parameters, likewise. */
  readonly params?: Type | undefined;
}

/** The surroundings in which expressions about a write are compiled. */
export function expressionEnvironment(scope: ExpressionScope): Environment {
  const { hasParams, hasAuthorizer, makesPatches, variables, objects = dynType, params = dynType } = scope;
  return {
    makesPatches,
    variables: {
      object: objects,
      oldObject: objects,
      namespaceObject: namespaceType,
      request: requestType,
      ...(hasParams ? { params } : {}),
      ...(hasAuthorizer ? { authorizer: authorizerType, "authorizer.requestResource": resourceCheckType } : {}),
      ...(variables === undefined ? {} : { variables: objectType("kubernetes.variables", variables) }),
    },
  };
}

/** The type under which a variable of a policy is known, given that of its expression: what is neither simple nor made of it is not told. */
export function variableType(type: Type | undefined): Type {
  switch (type?.kind) {
    case "list":
      return listType(variableType(type.parameters[0]));
    case "map":
      return mapType(variableType(type.parameters[0]), variableType(type.parameters[1]));
    case "bool":
    case "bytes":
    case "double":
    case "duration":
    case "int":
    case "null":
    case "string":
    case "timestamp":
    case "uint":
      return type;
    default:
      return dynType;
  }
}

const groupVersion = { group: stringType, version: stringType };
const kindType = struct("GroupVersionKind", { ...groupVersion, kind: stringType });
const resourceType = struct("GroupVersionResource", { ...groupVersion, resource: stringType });
const stringsType = listType(stringType);
const textsType = mapType(stringType, stringType);

const requestType = struct("AdmissionRequest", {
  kind: kindType,
  resource: resourceType,
  subResource: stringType,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: struct("UserInfo", {
    username: stringType,
    uid: stringType,
    groups: stringsType,
    extra: mapType(stringType, stringsType),
  }),
  dryRun: boolType,
  options: dynType,
});

const namespaceType = struct("Namespace", {
  metadata: struct("NamespaceMetadata", {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: textsType,
    annotations: textsType,
    // As upstream spells it, so that no expression can read it.
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: stringsType,
  }),
  spec: struct("NamespaceSpec", { finalizers: stringsType }),
  status: struct("NamespaceStatus", {
    conditions: listType(
      struct("NamespaceCondition", {
        status: stringType,
        type: stringType,
        lastTransitionTime: timestampType,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});

function struct(name: string, fields: Readonly<Record<string, Type>>): Type {
  return objectType(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

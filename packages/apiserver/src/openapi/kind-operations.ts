import type { GroupVersionKind } from "@kaji/core";
import type { Kind, KindVerb } from "../kind.ts";
import type { ConnectSubresource, ProxySubresource, Subresource, TextSubresource } from "../subresource.ts";
import type { ServedVersion } from "../kind-registry.ts";
import { builtinActions, customActions } from "./actions.ts";
import type { Action, ActionName } from "./actions.ts";
import { customDefinitionName } from "@kaji/core/serving";
import { metaDefinitionName } from "./definition-name.ts";
import type { DefinitionSource } from "./definition-source.ts";
import type { Operation } from "./operation.ts";
import { capitalized, operationId, tagOf } from "./operation-id.ts";
import { parametersOf } from "./parameters.ts";

/** All that can be done with the objects of a kind in one version. Nothing is said of a kind that is not defined. */
export function kindOperations(served: ServedVersion, source: DefinitionSource): readonly Operation[] {
  const own = shapesOf(served, source);
  if (own === undefined) return [];
  const actions: Partial<Readonly<Record<ActionName, Action>>> = served.version.openapi === undefined ? builtinActions : customActions;
  const operations = [...ownTasks(served.kind, own), ...subresourceTasks(served, own, source)].flatMap((task) => {
    const action = actions[task.action];
    return action === undefined ? [] : [operationOf(task, action, served)];
  });
  return [...operations, ...textOperations(served, own), ...connectOperations(served)];
}

/** One action at one path below the version. */
interface Task extends Place {
  readonly action: ActionName;
  readonly shapes: Shapes;
}

/** A path below the version, and how ids call what is there. */
interface Place {
  readonly path: string;
  readonly subject: string;
}

/** The kind that is sent and received, and the names of its definitions. */
interface Shapes {
  readonly kind: GroupVersionKind;
  readonly object: string;
  readonly list: string;
}

const ofCollection: Partial<Readonly<Record<KindVerb, ActionName>>> = {
  list: "list",
  create: "post",
  deletecollection: "deletecollection",
};
const ofObject: Partial<Readonly<Record<KindVerb, ActionName>>> = { get: "get", update: "put", delete: "delete", patch: "patch" };

/** On the collection, on one object, and across all namespaces; and once more under `watch/`, which predates `?watch=true`. */
function ownTasks({ verbs, plural, kind, scope }: Kind, shapes: Shapes): readonly Task[] {
  const { path, subject } = collectionOf({ plural, kind, scope });
  const everywhere = scope === "Namespaced" ? `${kind}ForAllNamespaces` : undefined;
  const watched = verbs.includes("watch");
  return [
    ...tasks({ path, subject }, actionsOf(verbs, ofCollection), shapes),
    ...tasks({ path: `${path}/{name}`, subject }, actionsOf(verbs, ofObject), shapes),
    ...(watched ? tasks({ path: `watch/${path}`, subject: `${subject}List` }, ["watchlist"], shapes) : []),
    ...(watched ? tasks({ path: `watch/${path}/{name}`, subject }, ["watch"], shapes) : []),
    ...(everywhere !== undefined && verbs.includes("list") ? tasks({ path: plural, subject: everywhere }, ["list"], shapes) : []),
    ...(everywhere !== undefined && watched
      ? tasks({ path: `watch/${plural}`, subject: `${kind}ListForAllNamespaces` }, ["watchlist"], shapes)
      : []),
  ];
}

function subresourceTasks({ kind, version }: ServedVersion, own: Shapes, source: DefinitionSource): readonly Task[] {
  const { path, subject } = collectionOf(kind);
  return Object.entries(version.subresources).flatMap(([name, subresource]) => {
    const spoken = spokenKind(subresource);
    const object = spoken === undefined ? own.object : source.nameOf(spoken);
    if (object === undefined) return [];
    // The real server says of a custom kind's scale that it is about the custom kind.
    const about = subresource.type === "Scale" && version.openapi !== undefined ? own.kind : (spoken ?? own.kind);
    const place = { path: `${path}/{name}/${name}`, subject: `${subject}${capitalized(name)}` };
    return tasks(place, subresourceActions(subresource), { ...own, kind: about, object });
  });
}

/** The kind in which a subresource speaks; undefined where that is the kind it belongs to. */
function spokenKind(subresource: Subresource): GroupVersionKind | undefined {
  if (subresource.type === "Update" || isOther(subresource)) return undefined;
  if (subresource.type === "Scale") return { group: "autoscaling", version: "v1", kind: "Scale" };
  const { group, version, kind } = subresource;
  return { group, version, kind };
}

function subresourceActions(subresource: Subresource): readonly ActionName[] {
  if (subresource.type === "Action") return ["post"];
  if (isOther(subresource)) return [];
  return subresource.type === "Scale" ? ["get", "put", "patch"] : actionsOf(subresource.verbs, ofObject);
}

function actionsOf(verbs: readonly KindVerb[], names: Partial<Readonly<Record<KindVerb, ActionName>>>): readonly ActionName[] {
  return verbs.flatMap((verb) => names[verb] ?? []);
}

function tasks(place: Place, actions: readonly ActionName[], shapes: Shapes): readonly Task[] {
  return actions.map((action) => ({ ...place, action, shapes }));
}

function collectionOf({ plural, kind, scope }: Pick<Kind, "kind" | "plural" | "scope">): Place {
  return scope === "Namespaced"
    ? { path: `namespaces/{namespace}/${plural}`, subject: `Namespaced${kind}` }
    : { path: plural, subject: kind };
}

/** What is read as plain text, which is no kind's. */
function textOperations({ kind, version }: ServedVersion, shapes: Shapes): readonly Operation[] {
  const { path, subject } = collectionOf(kind);
  return Object.entries(version.subresources).flatMap(([name, subresource]) => {
    if (subresource.type !== "Text") return [];
    const options = subresource.options.map((option) => ({ ...option, in: "query" as const }));
    const task: Task = { path: `${path}/{name}/${name}`, subject: `${subject}${capitalized(name)}`, action: "get", shapes };
    const get = { ...builtinActions.get, options: [...builtinActions.get.options, ...options] };
    const produces = [...get.produces, "text/plain"];
    return [{ ...operationOf(task, { ...get, produces }, { kind, version }), answer: undefined }];
  });
}

/** What is below an object and speaks of no kind. */
function isOther(subresource: Subresource): subresource is ConnectSubresource | ProxySubresource | TextSubresource {
  return subresource.type === "Text" || subresource.type === "Connect" || subresource.type === "Proxy";
}

const proxyMethods = ["delete", "get", "head", "options", "patch", "post", "put"] as const;

/** What clients are joined to, in whatever protocol, and what requests are passed on to. */
function connectOperations({ kind, version: { version, subresources } }: ServedVersion): readonly Operation[] {
  const { path, subject } = collectionOf(kind);
  const { group } = kind;
  return Object.entries(subresources).flatMap(([name, subresource]) => {
    if (subresource.type !== "Connect" && subresource.type !== "Proxy") return [];
    const isProxy = subresource.type === "Proxy";
    const [methods, options] = isProxy
      ? [proxyMethods, [{ name: "path", type: "string" } as const]]
      : [["get", "post"] as const, subresource.options];
    const query = options.map(({ name: option, type }) => ({ name: option, type, in: "query" as const }));
    const place = { path: `${path}/{name}/${name}`, subject: `${subject}${capitalized(name)}` };
    const below = { path: `${place.path}/{path}`, subject: `${place.subject}WithPath` };
    return [place, ...(isProxy ? [below] : [])].flatMap((each) => {
      const at = pathOf(group, version, each.path);
      const parameters = parametersOf(at, query);
      return methods.map((method) => ({
        path: at,
        method,
        id: operationId({ verb: "connect", subject: `${capitalized(method)}${each.subject}` }, group, version),
        tag: tagOf(group, version),
        on: { action: "connect", kind: { group, version, kind: subresource.kind } },
        parameters,
        consumes: anything,
        produces: anything,
        answer: undefined,
        codes: [200],
      }));
    });
  });
}

const anything: readonly string[] = ["*/*"];

function pathOf(group: string, version: string, below: string): string {
  return `${group === "" ? "/api" : `/apis/${group}`}/${version}/${below}`;
}

function operationOf(task: Task, action: Action, { kind: { group }, version }: ServedVersion): Operation {
  const { shapes } = task;
  const path = pathOf(group, version.version, task.path);
  const name = { verb: action.verb, subject: task.subject };
  const answersObject = task.action === "delete" && version.strategy.returnsDeleted === true;
  return {
    path,
    method: action.method,
    id: operationId(name, group, version.version),
    tag: tagOf(group, version.version),
    on: { action: task.action, kind: shapes.kind },
    parameters: parametersOf(path, action.options),
    consumes: action.consumes,
    produces: action.produces,
    ...(action.body === undefined
      ? {}
      : { body: { definition: definitionFor(action.body, shapes), required: action.body !== "DeleteOptions" } }),
    answer: definitionFor(answersObject ? "object" : action.answer, shapes),
    codes: action.codes,
  };
}

function definitionFor(what: Action["answer"] | NonNullable<Action["body"]>, { object, list }: Shapes): string {
  if (what === "object") return object;
  return what === "list" ? list : metaDefinitionName(what);
}

/** Kinds that are not stored, such as reviews, have no list. */
function shapesOf({ kind, version }: ServedVersion, source: DefinitionSource): Shapes | undefined {
  const own = { group: kind.group, version: version.version, kind: kind.kind };
  const listed = { ...own, kind: kind.listKind };
  if (version.openapi !== undefined) return { kind: own, object: customDefinitionName(own), list: customDefinitionName(listed) };
  const object = source.nameOf(own);
  return object === undefined ? undefined : { kind: own, object, list: source.nameOf(listed) ?? object };
}

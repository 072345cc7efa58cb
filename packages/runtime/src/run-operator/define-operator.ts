import { dns1123LabelErrors } from "@kaji/core";
import type { DynamicObject, KubeObject, Resource } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import type { Controller } from "../declare/define-controller.ts";
import type { Conversion } from "../conversion/convert.ts";
import type { Api } from "../api/served-api.ts";
import type { Webhook } from "../webhook/webhook.ts";

/** Where an operator runs on a cluster. */
export interface OperatorPlace {
  /** The name of the operator, and of its ServiceAccount there. */
  readonly name: string;
  readonly namespace: string;
  /** What its Pods are found by. */
  readonly podLabels: Readonly<Record<string, string>>;
}

/** What an operator comes with beside all that follows from its declaration, such as a Service for a port of its own. */
export type OwnManifests = (place: OperatorPlace) => readonly (KubeObject | DynamicObject)[];

/** What an operator is made of. */
export interface OperatorDeclaration {
  /** The name of the operator, and of all that it is installed with: a DNS label. */
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly webhooks?: readonly Webhook[] | undefined;
  readonly conversions?: readonly Conversion[] | undefined;
  /** Kinds that it serves by itself, behind the API server, from what it knows. */
  readonly apis?: readonly Api[] | undefined;
  /** What it brings beside the resources that its controllers, webhooks and conversions are about, such as a policy that a controller reads and none looks after. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
  /** Objects that it is installed with beside those that follow from its declaration, such as a Service that leads to a port of its own, or an APIService. Default: none. */
  readonly manifests?: OwnManifests | undefined;
}

/** An operator as a value: to be run, to be installed, to be tested. */
export interface OperatorDefinition {
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly webhooks: readonly Webhook[];
  readonly conversions: readonly Conversion[];
  readonly apis: readonly Api[];
  readonly resources: readonly ResourceDefinition[];
  readonly manifests?: OwnManifests | undefined;
}

/** Defines an operator once, for whatever runs it and for the command that installs it. Defining it starts nothing. */
export function defineOperator({
  name,
  controllers,
  webhooks = [],
  conversions = [],
  apis = [],
  resources = [],
  manifests,
}: OperatorDeclaration): OperatorDefinition {
  const [problem] = dns1123LabelErrors(name);
  if (problem !== undefined) throw new TypeError(`an operator cannot be named ${JSON.stringify(name)}: ${problem}`);
  requireDefined(name, { controllers, webhooks, conversions, apis, resources });
  requireOwnGroups(name, apis, [...controllers, ...webhooks, ...conversions].map(({ resource }) => resource).concat(resources));
  const names = controllers.map((controller) => controller.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw new TypeError(`operator ${name} has two controllers named ${twice}; give one of them another name`);
  return Object.freeze({ name, controllers, webhooks, conversions, apis, resources, ...(manifests === undefined ? {} : { manifests }) });
}

/** The types say so too, but what runs an operator does not look at types. */
function requireDefined(name: string, lists: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [list, entries] of Object.entries(lists)) {
    const index = entries.findIndex((entry) => typeof entry !== "object" || entry === null);
    if (index < 0) continue;
    const entry = entries[index];
    const what = typeof entry === "function" ? `the function ${entry.name}, which has to be called` : String(entry);
    throw new TypeError(`operator ${name}: ${list}[${index}] is ${what}`);
  }
}

/** Requests for a version of a group go to one server: what is stored under it could not be reached any more. */
function requireOwnGroups(name: string, apis: readonly Api[], stored: readonly Resource[]): void {
  const idOf = ({ group, version, plural }: Resource): string => `${plural}.${version}.${group}`;
  const twice = apis.find(({ resource }, index) => apis.findIndex((each) => idOf(each.resource) === idOf(resource)) !== index);
  if (twice !== undefined) throw new TypeError(`operator ${name} has two APIs of ${idOf(twice.resource)}`);
  for (const {
    resource: { group, version, kind },
  } of apis) {
    const same = stored.find((each) => each.group === group && each.version === version);
    if (same !== undefined)
      throw new TypeError(
        `operator ${name}: the API of ${kind} needs another group or version than ${group}/${version}, which is that of ${same.kind}`,
      );
  }
}

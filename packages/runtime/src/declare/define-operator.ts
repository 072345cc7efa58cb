import { dns1123LabelErrors } from "@kaji/core";
import type { Controller } from "./define-controller.ts";
import type { Conversion } from "../webhook/convert.ts";
import type { Webhook } from "../webhook/webhook.ts";

/** What an operator is made of. */
export interface OperatorDeclaration {
  /** The name of the operator, and of all that it is installed with: a DNS label. */
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly webhooks?: readonly Webhook[] | undefined;
  readonly conversions?: readonly Conversion[] | undefined;
}

/** An operator as a value: to be run, to be installed, to be tested. */
export interface OperatorDefinition {
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly webhooks: readonly Webhook[];
  readonly conversions: readonly Conversion[];
}

/** Defines an operator once, for whatever runs it and for the command that installs it. Defining it starts nothing. */
export function defineOperator({ name, controllers, webhooks = [], conversions = [] }: OperatorDeclaration): OperatorDefinition {
  const [problem] = dns1123LabelErrors(name);
  if (problem !== undefined) throw new TypeError(`an operator cannot be named ${JSON.stringify(name)}: ${problem}`);
  const names = controllers.map((controller) => controller.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw new TypeError(`operator ${name} has two controllers named ${twice}; give one of them another name`);
  return Object.freeze({ name, controllers, webhooks, conversions });
}

import { schemaReader } from "@kaji/cel";
import type { SchemaReader, SchemaRole } from "@kaji/cel";
import { compileRule, selfType } from "./rule-program.ts";
import type { RuleProgram } from "./rule-program.ts";
import { StructuralNode } from "../schema/structural-node.ts";
import { additionalOf, hasRules, itemsOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** The rules of a schema and of all that is inside of it, compiled. What has no rules is left out. */
export interface RuleNode {
  readonly schema: JsonSchemaProps;
  readonly rules: readonly RuleProgram[];
  /** How the expressions see a value. */
  readonly read: SchemaReader;
  readonly items: RuleNode | undefined;
  /** By what items of a list are told to be the same before and after an update; given if there are rules on items. */
  readonly list: StructuralNode | undefined;
  readonly additional: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/** Compiles the rules of a schema; undefined when there are none. */
export function compileRules(schema: JsonSchemaProps, role: SchemaRole): RuleNode | undefined {
  return hasRules(schema) ? nodeOf(schema, role) : undefined;
}

function nodeOf(schema: JsonSchemaProps, role: SchemaRole): RuleNode | undefined {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const self = rules.length === 0 ? undefined : selfType(schema, role);
  const items = innerNode(itemsOf(schema));
  const additional = innerNode(additionalOf(schema));
  const properties = new Map(propertiesOf(schema).flatMap(([name, property]) => namedNode(name, property)));
  if (self === undefined && items === undefined && additional === undefined && properties.size === 0) return undefined;
  return {
    schema,
    rules: self === undefined ? [] : rules.map((rule) => compileRule(rule, schema, self)),
    read: schemaReader(schema, role),
    items,
    list: items === undefined ? undefined : new StructuralNode(schema),
    additional,
    properties,
  };
}

function innerNode(schema: JsonSchemaProps | undefined): RuleNode | undefined {
  return schema === undefined ? undefined : nodeOf(schema, schema["x-kubernetes-embedded-resource"] === true ? "resource" : "part");
}

function namedNode(name: string, schema: JsonSchemaProps): readonly (readonly [string, RuleNode])[] {
  const node = innerNode(schema);
  return node === undefined ? [] : [[name, node]];
}

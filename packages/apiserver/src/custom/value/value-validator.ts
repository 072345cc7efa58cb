import { isJsonArray, isJsonObject, stringifyJson, structuralEqual } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { formatGo, quote } from "@kaji/core/go";
import type { Correlation } from "./correlation.ts";
import { NumberRules, isInteger, isNearInteger } from "./number-validation.ts";
import { compileRe2 } from "../re2/re2.ts";
import type { TextPattern } from "../re2/re2.ts";
import { SchemaFindings, typeProblem, valueProblem } from "./schema-problem.ts";
import type { SchemaProblem } from "./schema-problem.ts";
import { sortedJson } from "../schema/sorted-json.ts";
import { stringFormat } from "./string-formats.ts";
import type { FormatCheck } from "./string-formats.ts";
import { additionalOf, itemsOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** What is validated: a part of an object, or a default, for which formats and int-or-string do not mean quite the same. */
export type Subject = "Object" | "Default";

/**
 * Checks values by the conditions of a schema, as kube-openapi does: with its messages, its notion of types and formats, and its choice of
 * which alternative to explain. Made once for each schema.
 */
export class ValueValidator {
  readonly #types: readonly string[];
  readonly #nullable: boolean;
  readonly #format: string;
  readonly #formatCheck: FormatCheck | undefined;
  readonly #pattern: TextPattern | undefined;
  readonly #numbers: NumberRules;
  readonly #items: ValueValidator | undefined;
  readonly #properties: ReadonlyMap<string, ValueValidator>;
  readonly #additional: ValueValidator | undefined;
  readonly #alternatives: Alternatives | undefined;
  readonly #schema: JsonSchemaProps;

  constructor(schema: JsonSchemaProps, subject: Subject = "Object") {
    const { type = "", format = "", pattern = "", nullable = false } = schema;
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    const isEither = subject === "Object" && schema["x-kubernetes-int-or-string"] === true;
    this.#schema = schema;
    this.#types = isEither ? ["integer", "string"] : type === "" ? [] : [type];
    this.#nullable = nullable;
    this.#format = subject === "Object" ? knownFormat(format, this.#types) : format;
    this.#formatCheck = stringFormat(this.#format);
    this.#pattern = pattern === "" ? undefined : compileRe2(pattern);
    this.#numbers = new NumberRules(schema, this.#types, this.#format);
    this.#items = items === undefined ? undefined : new ValueValidator(items, subject);
    this.#properties = new Map(propertiesOf(schema).map(([name, property]) => [name, new ValueValidator(property, subject)]));
    this.#additional = additional === undefined ? undefined : new ValueValidator(additional, subject);
    this.#alternatives = alternativesOf(schema, subject);
  }

  /** Checks a value. What was wrong before an update and has not changed is passed over. */
  validate(value: JsonValue, old?: Correlation): SchemaFindings {
    const findings = new SchemaFindings();
    this.#ratchet(value, "", old, findings);
    return findings;
  }

  /** `name` is the path of the value; each check that applies counts, in the way upstream counts them. */
  #check(value: JsonValue, name: string, old: Correlation | undefined, findings: SchemaFindings): void {
    if (value === null) {
      this.#checkNull(name, findings);
      return;
    }
    findings.matches += 4;
    if (this.#types.length > 0 || this.#format !== "") this.#checkType(value, name, findings);
    if (this.#alternatives !== undefined) this.#checkAlternatives(this.#alternatives, value, name, findings);
    if (typeof value === "string") this.#checkString(value, name, findings);
    else if (typeof value === "number" || typeof value === "bigint") {
      this.#numbers.check(value, name, findings);
      findings.matches += 2;
    } else if (isJsonArray(value)) this.#checkList(value, name, old, findings);
    this.#checkEnum(value, name, findings);
    if (isJsonObject(value)) this.#checkObject(value, name, old, findings);
  }

  /** Drops what is found wrong with a value that has not changed. */
  #ratchet(value: JsonValue, name: string, old: Correlation | undefined, findings: SchemaFindings): void {
    const before = findings.problems.length;
    this.#check(value, name, old, findings);
    if (old !== undefined && findings.problems.length > before && old.equals(value)) findings.problems.length = before;
  }

  #checkNull(name: string, findings: SchemaFindings): void {
    if (this.#types.length > 0 && !this.#nullable) findings.add(typeProblem(name, this.#types.join(","), "null"));
    else findings.matches++;
    this.#checkEnum(null, name, findings);
  }

  #checkType(value: JsonValue, name: string, findings: SchemaFindings): void {
    findings.matches++;
    const types = this.#types;
    const type = typeOf(value);
    const goFormat = type === "integer" ? "int64" : type === "number" ? "float64" : "";
    const isNumeric = types.includes("number") || types.includes("integer");
    const fits =
      types.includes(type) ||
      (type === "integer" && types.includes("number")) ||
      (type === "number" && types.includes("integer") && isNearInteger(Number(value)));
    const isTextual = type === "string" || type === "array";
    if (this.#format !== "" && !isTextual && !fits && goFormat !== this.#format) findings.add(typeProblem(name, this.#format, goFormat));
    // Upstream leaves text with a format to the format, and lists with it.
    else if (!fits && !(this.#format !== "" && isTextual && !isNumeric)) findings.add(typeProblem(name, types.join(","), type));
    else findings.matches++;
  }

  #checkString(value: string, name: string, findings: SchemaFindings): void {
    findings.matches++;
    const { minLength, maxLength, pattern = "" } = this.#schema;
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      findings.add({ type: "TooLong", name, message: `${name} in body should be at most ${maxLength} chars long`, most: maxLength });
    } else if (minLength !== undefined && !isLonger(value, minLength - 1)) {
      findings.add(valueProblem(name, value, `should be at least ${minLength} chars long`));
    } else if (this.#pattern?.test(value) === false) {
      findings.add(valueProblem(name, value, `should match '${pattern}'`));
    }
    if (this.#formatCheck === undefined) return;
    findings.matches++;
    if (!this.#formatCheck(value)) findings.add(typeProblem(name, this.#format, value));
  }

  #checkList(list: JsonArray, name: string, old: Correlation | undefined, findings: SchemaFindings): void {
    findings.matches += 2;
    const { minItems, maxItems, uniqueItems = false } = this.#schema;
    const items = this.#items;
    if (items !== undefined) list.forEach((item, index) => items.#ratchet(item, `${name}[${index}]`, old?.item(item), findings));
    if (minItems !== undefined && list.length < minItems) {
      findings.add(valueProblem(name, list.length, `should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && list.length > maxItems) {
      const message = `${name} in body should have at most ${maxItems} items`;
      findings.add({ type: "TooMany", name, message, count: list.length, most: maxItems });
    }
    if (uniqueItems && new Set(list.map((item) => stringifyJson(sortedJson(item)))).size < list.length) {
      findings.add(valueProblem(name, "", "shouldn't contain duplicates"));
    }
  }

  #checkObject(object: JsonObject, name: string, old: Correlation | undefined, findings: SchemaFindings): void {
    findings.matches++;
    this.#checkCount(object, name, findings);
    const isClosed = this.#schema.additionalProperties === false;
    for (const field in object) {
      const value = object[field];
      if (value === undefined) continue;
      const property = this.#properties.get(field);
      if (property === undefined && isClosed) findings.add(forbidden(name, field));
      const validator = property ?? this.#additional;
      if (validator === undefined) continue;
      const isType = name === "" && (field === "kind" || field === "apiVersion");
      validator.#ratchet(
        value,
        property !== undefined && name === "" ? field : `${name}.${field}`,
        isType ? undefined : old?.field(field),
        findings,
      );
    }
    for (const field of this.#schema.required ?? []) {
      if (Object.hasOwn(object, field) && object[field] !== undefined) continue;
      findings.add({ type: "Required", name: `${name}.${field}`, message: `${name}.${field} in body is required` });
    }
  }

  #checkCount(object: JsonObject, name: string, findings: SchemaFindings): void {
    const { minProperties, maxProperties } = this.#schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    const count = Object.keys(object).length;
    if (minProperties !== undefined && count < minProperties) {
      findings.add(valueProblem(name, count, `should have at least ${minProperties} properties`));
    }
    if (maxProperties !== undefined && count > maxProperties) {
      const message = `${name} in body should have at most ${maxProperties} properties`;
      findings.add({ type: "TooMany", name, message, count, most: maxProperties });
    }
  }

  #checkEnum(value: JsonValue, name: string, findings: SchemaFindings): void {
    const { enum: supported = [] } = this.#schema;
    if (supported.length === 0 || supported.some((allowed) => isConvertible(value, allowed))) return;
    findings.add({ type: "Enum", name, message: `${name} in body should be one of ${formatGo(supported)}`, value, supported });
  }

  #checkAlternatives({ anyOf, oneOf, allOf, not }: Alternatives, value: JsonValue, name: string, findings: SchemaFindings): void {
    const tried = (validator: ValueValidator): SchemaFindings => {
      const outcome = new SchemaFindings();
      validator.#check(value, name, undefined, outcome);
      return outcome;
    };
    const shown = quote(name);
    if (anyOf.length > 0) chooseAny(anyOf, tried, shown, findings);
    if (oneOf.length > 0) chooseOne(oneOf.map(tried), shown, findings);
    if (allOf.length > 0) {
      const outcomes = allOf.map(tried);
      for (const outcome of outcomes) findings.merge(outcome);
      const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
      const note = failed === allOf.length ? ". None validated" : "";
      if (failed > 0) findings.add({ type: "Whole", message: `${shown} must validate all the schemas (allOf)${note}` });
    }
    if (not !== undefined && tried(not).problems.length === 0) {
      findings.add({ type: "Whole", message: `${shown} must not validate the schema (not)` });
    }
  }
}

/** The schemas of which some, one, all or none must accept the value as well. */
interface Alternatives {
  readonly anyOf: readonly ValueValidator[];
  readonly oneOf: readonly ValueValidator[];
  readonly allOf: readonly ValueValidator[];
  readonly not: ValueValidator | undefined;
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [], not }: JsonSchemaProps, subject: Subject): Alternatives | undefined {
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;
  const validator = (schema: JsonSchemaProps): ValueValidator => new ValueValidator(schema, subject);
  return {
    anyOf: anyOf.map(validator),
    oneOf: oneOf.map(validator),
    allOf: allOf.map(validator),
    not: not === undefined ? undefined : validator(not),
  };
}

/** The first alternative that accepts the value is enough; if none does, the closest is explained. */
function chooseAny(
  validators: readonly ValueValidator[],
  tried: (validator: ValueValidator) => SchemaFindings,
  shown: string,
  findings: SchemaFindings,
): void {
  const failed: SchemaFindings[] = [];
  for (const validator of validators) {
    const outcome = tried(validator);
    if (outcome.problems.length === 0) {
      findings.merge(outcome);
      return;
    }
    failed.push(outcome);
  }
  findings.add({ type: "Whole", message: `${shown} must validate at least one schema (anyOf)` });
  findings.merge(closest(failed));
}

function chooseOne(outcomes: readonly SchemaFindings[], shown: string, findings: SchemaFindings): void {
  const accepting = outcomes.filter(({ problems }) => problems.length === 0);
  const [first] = accepting;
  if (accepting.length === 1 && first !== undefined) {
    findings.merge(first);
    return;
  }
  const found = first === undefined ? "Found none valid" : `Found ${accepting.length} valid alternatives`;
  findings.add({ type: "Whole", message: `${shown} must validate one and only one schema (oneOf). ${found}` });
  if (first === undefined) findings.merge(closest(outcomes));
}

function closest(outcomes: readonly SchemaFindings[]): SchemaFindings {
  return outcomes.reduce((best, outcome) => (outcome.matches > best.matches ? outcome : best));
}

function forbidden(name: string, field: string): SchemaProblem {
  return { type: "Value", name, message: `${name}.${field} in body is a forbidden property`, value: field };
}

/** Formats the server does not know, or not for this type, mean nothing to it. */
export function knownFormat(format: string, types: readonly string[]): string {
  const [only = ""] = types.length === 1 ? types : [];
  if (only === "integer") return format === "int32" || format === "int64" ? format : "";
  if (only === "number") return format === "float" || format === "double" ? format : "";
  return (only === "" || only === "string") && stringFormat(format) !== undefined ? format : "";
}

function typeOf(value: JsonValue): string {
  if (typeof value === "number" || typeof value === "bigint") return isInteger(value) ? "integer" : "number";
  if (typeof value === "object") return isJsonArray(value) ? "array" : "object";
  return typeof value;
}

/** Whether a text has more characters than a limit; its length in UTF-16 is never less than its characters. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || [...text].length > limit);
}

/** Whether a value is an allowed one once Go has converted it to the type of that, as it does before it compares them. */
function isConvertible(value: JsonValue, allowed: JsonValue): boolean {
  if (value === null || allowed === null) return false;
  if (typeof value === "number" || typeof value === "bigint") {
    if (typeof allowed === "number" || typeof allowed === "bigint") {
      return isInteger(allowed) ? Math.trunc(Number(value)) === Number(allowed) : Number(value) === allowed;
    }
    return typeof allowed === "string" && isInteger(value) && allowed === runeText(Number(value));
  }
  return structuralEqual(value, allowed);
}

function runeText(codePoint: number): string {
  const isRune = codePoint >= 0 && codePoint <= 0x10_ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  return isRune ? String.fromCodePoint(codePoint) : "\ufffd";
}

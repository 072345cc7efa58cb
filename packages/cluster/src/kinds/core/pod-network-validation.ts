import { invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { ipErrors } from "../ip-address.ts";
import { objectsField, optionalObject, stringField, stringsField } from "../json-fields.ts";

const mostNameservers = 3;
const mostSearches = 32;
const longestSearchList = 2048;

/** What is wrong with how the names of hosts are looked up in a pod. */
export function validatePodNetwork(spec: JsonObject, specPath: FieldPath): readonly FieldError[] {
  const path = specPath.child("dnsConfig");
  const config = optionalObject(spec, "dnsConfig");
  const nameservers = stringsField(config, "nameservers");
  if (stringField(spec, "dnsPolicy") === "None") {
    if (config === undefined) return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if (nameservers.length === 0) {
      return [required(path.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None")];
    }
  }
  if (config === undefined) return [];
  const errors: FieldError[] = [];
  if (nameservers.length > mostNameservers) {
    errors.push(invalidValue(path.child("nameservers"), nameservers, `must not have more than ${mostNameservers} nameservers`));
  }
  errors.push(...nameservers.flatMap((server, index) => ipErrors(path.child("nameservers").index(index), server)));
  errors.push(...searchErrors(stringsField(config, "searches"), path.child("searches")));
  objectsField(config, "options").forEach((option, index) => {
    if (stringField(option, "name") === "") errors.push(required(path.child("options").index(index), "must not be empty"));
  });
  return errors;
}

const searchLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPattern = `${searchLabel}(\\.${searchLabel})*`;
const searchRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchPattern}')`;
const search = new RegExp(`^${searchPattern}$`);

function searchErrors(searches: readonly string[], path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > mostSearches) errors.push(invalidValue(path, searches, `must not have more than ${mostSearches} search paths`));
  if (searches.join(" ").length > longestSearchList) {
    errors.push(
      invalidValue(path, searches, `must not have more than ${longestSearchList} characters (including spaces) in the search list`),
    );
  }
  for (const [index, given] of searches.entries()) {
    if (given === ".") continue;
    const domain = given.endsWith(".") ? given.slice(0, -1) : given;
    if (domain.length > 253) errors.push(invalidValue(path.index(index), domain, "must be no more than 253 characters"));
    if (!search.test(domain)) errors.push(invalidValue(path.index(index), domain, searchRule));
  }
  return errors;
}

import { validateWebhookClient } from "@kaji/apiserver";
import { FieldPath, dns1035LabelErrors, duplicate, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapFields, mapItems, withPresence } from "../../field-defaults.ts";
import { eachItem, invalidFor, optionalOneOf } from "../../field-rules.ts";
import { has, listField, numberField, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { selectorErrors } from "../../selector-rules.ts";
import { validateQualifiedDomain } from "../../text-rules.ts";
import { validateMatchConditions } from "./match-conditions.ts";
import { defaultRules, validateRule } from "./resource-rules.ts";
import { staticNameWarnings } from "./static-name.ts";

const sideEffects = ["None", "NoneOnDryRun"];
const reviewVersions = ["v1", "v1beta1"];
const webhookDefaults: JsonObject = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** `MutatingWebhookConfiguration`: who is asked to change objects before they are stored. */
export const mutatingWebhookConfiguration: KindDetails = webhookConfiguration({ reinvocationPolicy: "Never" });

/** `ValidatingWebhookConfiguration`: who is asked whether objects may be stored. */
export const validatingWebhookConfiguration: KindDetails = webhookConfiguration({});

function webhookConfiguration(ownDefaults: JsonObject): KindDetails {
  const defaults = { ...webhookDefaults, ...ownDefaults };
  return {
    strategy: {
      generationOf: "all-but-metadata",
      countsEmpties: true,
      unconditionalUpdate: false,
      validateName: subdomainName,
      default: (object) => mapFields(object, (fields) => mapItems(fields, "webhooks", (webhook) => defaultWebhook(webhook, defaults))),
      validateCreate: validateConfiguration,
      validateUpdate: validateConfiguration,
      warnings: staticNameWarnings,
    },
    columns: [
      nameColumn,
      {
        name: "Webhooks",
        type: "integer",
        description: "how many webhooks there are",
        cell: (object) => listField(object, "webhooks").length,
      },
      ageColumn,
    ],
  };
}

function defaultWebhook(webhook: JsonObject, defaults: JsonObject): JsonObject {
  const withPort = mapField(webhook, "clientConfig", (config) =>
    mapField(config, "service", (service) => withPresence(service, { port: 443 })),
  );
  return defaultRules(withPresence(withPort, defaults), "rules");
}

function validateConfiguration(object: DynamicObject): readonly FieldError[] {
  const webhooks = objectsField(object, "webhooks");
  const names = webhooks.map((webhook) => stringField(webhook, "name"));
  return eachItem(webhooks, FieldPath.of("webhooks"), (webhook, path, index) => {
    const name = stringField(webhook, "name");
    return [
      ...validateWebhook(webhook, path),
      ...validateReviewVersions(stringsField(webhook, "admissionReviewVersions"), path.child("admissionReviewVersions")),
      ...(name !== "" && names.indexOf(name) < index ? [duplicate(path.child("name"), name)] : []),
    ];
  });
}

function validateWebhook(webhook: JsonObject, path: FieldPath): readonly FieldError[] {
  const timeout = numberField(webhook, "timeoutSeconds") ?? 10;
  return [
    ...validateQualifiedDomain(path.child("name"), stringField(webhook, "name"), 3),
    ...eachItem(objectsField(webhook, "rules"), path.child("rules"), validateRule),
    ...optionalOneOf(webhook, "failurePolicy", ["Fail", "Ignore"], path),
    ...optionalOneOf(webhook, "matchPolicy", ["Equivalent", "Exact"], path),
    ...validateSideEffects(webhook, path.child("sideEffects")),
    ...(timeout < 1 || timeout > 30
      ? [invalidValue(path.child("timeoutSeconds"), timeout, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...selectorErrors(webhook, "namespaceSelector", path),
    ...selectorErrors(webhook, "objectSelector", path),
    ...optionalOneOf(webhook, "reinvocationPolicy", ["IfNeeded", "Never"], path),
    ...validateWebhookClient(objectField(webhook, "clientConfig"), path.child("clientConfig"), {
      allowsAnyCaBundle: true,
    }),
    ...validateMatchConditions(webhook, path),
  ];
}

function validateSideEffects(webhook: JsonObject, path: FieldPath): readonly FieldError[] {
  const value = stringField(webhook, "sideEffects");
  if (!has(webhook, "sideEffects")) return [required(path, `must specify one of ${sideEffects.join(", ")}`)];
  return sideEffects.includes(value) ? [] : [notEnumerated(path, value, sideEffects)];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): readonly FieldError[] {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [required(path, `must specify one of ${known}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidValue(path.index(index), version, "duplicate version")];
    return invalidFor(path.index(index), version, dns1035LabelErrors(version));
  });
  const hasKnown = versions.some((version) => reviewVersions.includes(version));
  return hasKnown ? errors : [...errors, invalidValue(path, versions, `must include at least one of ${known}`)];
}

import type { ActionContext, ActionSubresource, ActionTarget, ObjectSchema, ActionOwnership } from "@kaji/apiserver";
import { jsonOf } from "@kaji/core";
import type { DynamicObject, GroupVersionKind, JsonObject } from "@kaji/core";
import { mergeSchemaOf, structTable } from "@kaji/types/tables";
import { mapPart, withPresence } from "../field-defaults.ts";
import { objectsField, stringField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { structSchemas } from "../struct-schemas.ts";

/** Answers a TokenRequest for a service account, which need not exist, with one that has a token. */
export type TokenIssuer = (account: ActionTarget, request: DynamicObject, context: ActionContext) => Promise<DynamicObject>;

const mountable = "kubernetes.io/enforce-mountable-secrets";

/** Service accounts, with the `token` subresource if an issuer is given. */
export function serviceAccountDetails(issueToken?: TokenIssuer): KindDetails {
  return {
    strategy: {
      validateName: subdomainName,
      prepareCreate: withSecretNames,
      prepareUpdate: withSecretNames,
      validateCreate: finalizerNameErrors,
      validateUpdate: (account, old) => [...metadataUpdateErrors(account, old), ...metadataErrorsAgain(account, subdomainName)],
      warnings: ({ metadata }, old) => {
        const isNew = Object.hasOwn(metadata.annotations ?? {}, mountable) && !Object.hasOwn(old?.metadata.annotations ?? {}, mountable);
        const why = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets";
        return isNew ? [`metadata.annotations[${mountable}]: ${why}`] : [];
      },
    },
    columns: [nameColumn, ageColumn],
    ...(issueToken === undefined ? {} : { subresources: { token: tokenAction(issueToken) } }),
  };
}

function tokenAction(issueToken: TokenIssuer): ActionSubresource {
  const type = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
  const schema = structSchemas.schemaOf(type);
  let owned: ActionOwnership | undefined;
  return {
    type: "Action",
    ...type,
    schema,
    // Read from the tables on the first request for a token.
    get owned() {
      return (owned ??= ownedRequest(type, schema));
    },
    run: issueToken,
  };
}

function ownedRequest(type: GroupVersionKind, schema: ObjectSchema): ActionOwnership {
  const mergeSchema = mergeSchemaOf(structTable.structOf(type) ?? "");
  if (mergeSchema === undefined) throw new TypeError("the tables have no struct for TokenRequest");
  const { spec, status } = jsonOf(schema.decode({}).object);
  return { mergeSchema, empty: { spec, status }, default: withExpiration };
}

/** A token for which no expiry is asked is good for an hour. */
function withExpiration(request: DynamicObject): DynamicObject {
  return mapPart(request, "spec", (spec) => withPresence(spec, { expirationSeconds: 3600 }));
}

function nameOnly(secret: JsonObject): JsonObject {
  const name = stringField(secret, "name");
  return name === "" ? {} : { name };
}

/** Of the secrets it refers to, only the names are kept. */
function withSecretNames(account: DynamicObject): DynamicObject {
  const secrets = objectsField(account, "secrets");
  return secrets.length === 0 ? account : { ...account, secrets: secrets.map(nameOnly) };
}

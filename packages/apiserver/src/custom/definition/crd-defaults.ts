import type { DynamicObject } from "@kaji/core";
import { asCrd, storageVersionOf } from "./crd.ts";
import type { CrdConversion } from "./crd.ts";

/** Fills in the names that follow from the kind, the strategy of conversion, and where nothing has been stored yet, what will be. */
export function crdDefaults(object: DynamicObject): DynamicObject {
  const { spec, status } = asCrd(object);
  const { names, conversion = { strategy: "None" } } = spec;
  const { kind, singular = "", listKind = "" } = names;
  const storage = storageVersionOf(spec)?.name;
  const isStored = (status?.storedVersions ?? []).length > 0 || storage === undefined;
  return {
    ...object,
    spec: {
      ...spec,
      names: {
        ...names,
        ...(singular === "" && kind !== "" ? { singular: kind.toLowerCase() } : {}),
        ...(listKind === "" && kind !== "" ? { listKind: `${kind}List` } : {}),
      },
      conversion: withPort(conversion),
    },
    ...(isStored ? {} : { status: { ...status, storedVersions: [storage] } }),
  };
}

function withPort(conversion: CrdConversion): CrdConversion {
  const { webhook } = conversion;
  const { clientConfig } = webhook ?? {};
  const { service } = clientConfig ?? {};
  if (service === undefined || service.port !== undefined) return conversion;
  return { ...conversion, webhook: { ...webhook, clientConfig: { ...clientConfig, service: { ...service, port: 443 } } } };
}

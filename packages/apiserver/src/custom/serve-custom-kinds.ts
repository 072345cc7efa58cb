import { isReason } from "@kaji/core";
import { systemAdmin } from "@kaji/core/serving";
import type { ApiServer } from "../api-server.ts";
import type { Kind } from "../kind.ts";
import { deleteObject } from "../registry/delete.ts";
import { listFrom } from "../registry/list.ts";
import { writeBy } from "../registry/registry.ts";
import { reviseObject } from "../registry/revise.ts";
import type { Target } from "../registry/target.ts";
import type { RequestContext } from "../request/request-context.ts";
import { CustomKinds } from "./custom-kinds.ts";
import type { CustomKindsOptions } from "./custom-kinds.ts";
import type { CrdWriter } from "./definition/crd-writer.ts";
import type { CustomObjects } from "./definition/crd-cleanup.ts";

/** Under this name the server comes to own what it writes into definitions. */
const manager = "kube-apiserver";

/** Lets a server serve the definitions among its objects: `crdKind` is one of its kinds. */
export function serveCustomKinds(server: ApiServer, crdKind: Kind, options: Pick<CustomKindsOptions, "conversions"> = {}): CustomKinds {
  const { kinds, clock, watches, registry } = server;
  return new CustomKinds({
    ...options,
    storage: registry.storage,
    kinds,
    clock,
    watches,
    crds: crdWriter(server, crdKind),
    objects: customObjects(server),
    tell: (trouble) => server.tell(trouble),
  });
}

function crdWriter(server: ApiServer, crdKind: Kind): CrdWriter {
  const { registry, clock } = server;
  return {
    async updateStatus(name, change) {
      const target = targetOf(crdKind, undefined, name, "status");
      try {
        await reviseObject(registry, target, contextOf(server, target), {
          options: { dryRun: false },
          wanted: (live) => {
            const next = change(live);
            if (next === live) return live;
            const by = writeBy(manager, target, clock.now());
            return registry.fieldManagers.run(crdKind, (fields) => fields.update({ live, next, ...by }));
          },
        });
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
      }
    },
  };
}

function customObjects(server: ApiServer): CustomObjects {
  const { registry } = server;
  return {
    async deleteAll(kind) {
      const everything = { selection: { matches: undefined, name: undefined }, limit: 0, revision: undefined, after: undefined };
      const { items } = await listFrom(registry, targetOf(kind), everything);
      for (const { object } of items) {
        const target = targetOf(kind, object.metadata.namespace, object.metadata.name);
        const options = {
          dryRun: false,
          gracePeriodSeconds: undefined,
          propagation: undefined,
          expectsDependentsGone: false,
          uid: undefined,
          resourceVersion: undefined,
        };
        try {
          await deleteObject(registry, target, contextOf(server, target), options, []);
        } catch (error) {
          if (!isReason(error, "NotFound")) throw error;
        }
      }
    },
  };
}

function targetOf(kind: Kind, namespace?: string, name?: string, subresource?: string): Target {
  const [version] = kind.versions;
  if (version === undefined) throw new TypeError(`${kind.plural}.${kind.group} has no version`);
  return { kind, version, namespace, name, subresource };
}

/** The context of a request that the server makes itself. */
function contextOf({ clock, random }: ApiServer, { kind, version, namespace, name, subresource }: Target): RequestContext {
  return {
    method: "PUT",
    info: {
      type: "Resource",
      verb: "update",
      group: kind.group,
      version: version.version,
      resource: kind.plural,
      namespace,
      name,
      subresource,
      path: "",
    },
    user: systemAdmin,
    query: new URLSearchParams(),
    search: "",
    headers: {},
    body: undefined,
    signal: undefined,
    clock,
    random,
    warn: () => {},
  };
}

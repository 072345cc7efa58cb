import { isReason, unlessGone } from "@kaji/core";
import type { JsonPatchOperation, KubeObject, Resource } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { APIService } from "@kaji/types/apiregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";

/** An object with the CA bundle that API servers verify our webhooks by. */
export interface BundleHolder {
  readonly resource: Resource;
  readonly name: string;
  /** Sets the bundle if it differs. */
  publish(client: KubeClient, bundle: string, signal: AbortSignal): Promise<PublishOutcome>;
}

/** `Absent`: there is no such object, or no webhook in it. `Conflict`: another client has written it meanwhile. */
export type PublishOutcome = "Current" | "Changed" | "Absent" | "Conflict";

/** The names of the objects in which the bundle is kept right. */
export interface BundleHolders {
  readonly mutating?: readonly string[] | undefined;
  readonly validating?: readonly string[] | undefined;
  /** Definitions of resources whose versions we convert. */
  readonly customResourceDefinitions?: readonly string[] | undefined;
  /** Of the APIs that we serve. */
  readonly apiServices?: readonly string[] | undefined;
}

/** All of them, as one list. */
export function bundleHolders({
  mutating = [],
  validating = [],
  customResourceDefinitions = [],
  apiServices = [],
}: BundleHolders): readonly BundleHolder[] {
  return [
    ...mutating.map((name) => holder(MutatingWebhookConfiguration, name, webhookPlaces)),
    ...validating.map((name) => holder(ValidatingWebhookConfiguration, name, webhookPlaces)),
    ...customResourceDefinitions.map((name) => holder(CustomResourceDefinition, name, conversionPlaces)),
    ...apiServices.map((name) => holder(APIService, name, servicePlaces)),
  ];
}

/** Where in an object a bundle is, and what it is now. */
interface BundlePlace {
  readonly path: string;
  readonly bundle: string | undefined;
}

function holder<T extends KubeObject>(resource: Resource<T>, name: string, placesIn: (object: T) => readonly BundlePlace[]): BundleHolder {
  return {
    resource,
    name,
    async publish(client, bundle, signal) {
      const wanted = Buffer.from(bundle).toString("base64");
      const object = await unlessGone(client.get(resource, name, { signal }));
      const places = object === undefined ? [] : placesIn(object);
      if (object === undefined || places.length === 0) return "Absent";
      const wrong = places.filter((place) => place.bundle !== wanted);
      if (wrong.length === 0) return "Current";
      // The paths have list indexes of the object that was read: any write in between must be a Conflict.
      const unchanged = { op: "replace", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion ?? "" } as const;
      const changes = wrong.map(({ path }): JsonPatchOperation => ({ op: "add", path, value: wanted }));
      try {
        await client.jsonPatch(resource, name, [unchanged, ...changes], { signal });
        return "Changed";
      } catch (error) {
        if (isReason(error, "Conflict")) return "Conflict";
        throw error;
      }
    },
  };
}

function webhookPlaces({ webhooks = [] }: MutatingWebhookConfiguration | ValidatingWebhookConfiguration): readonly BundlePlace[] {
  return webhooks.map(({ clientConfig }, index) => ({ path: `/webhooks/${index}/clientConfig/caBundle`, bundle: clientConfig.caBundle }));
}

function conversionPlaces({ spec }: CustomResourceDefinition): readonly BundlePlace[] {
  const clientConfig = spec.conversion?.webhook?.clientConfig;
  return clientConfig === undefined ? [] : [{ path: "/spec/conversion/webhook/clientConfig/caBundle", bundle: clientConfig.caBundle }];
}

/** One that names no Service is of the API server itself. */
function servicePlaces({ spec }: APIService): readonly BundlePlace[] {
  return spec?.service === undefined ? [] : [{ path: "/spec/caBundle", bundle: spec.caBundle }];
}

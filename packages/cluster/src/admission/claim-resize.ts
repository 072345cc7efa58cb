import type { AdmissionPlugin } from "@kaji/apiserver";
import type { DynamicObject, Quantity } from "@kaji/core";
import { resourceList } from "../kinds/core/resource-list.ts";
import { booleanField, objectField, stringField } from "../kinds/json-fields.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";

const path = "/registry/storageclasses/";
const refusal = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

/** Lets claims ask for more than before only where their class lets volumes grow. That they are bound has been looked at by then. */
export function claimResize(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "PersistentVolumeClaimResize",
    resources: ["/persistentvolumeclaims"],
    validate: (request) => {
      const { operation, target, object, oldObject } = request;
      if (operation !== "UPDATE" || target.subresource !== undefined || !asksForMore(object, oldObject)) return;
      const storageClass = objects.get(path + stringField(objectField(object, "spec"), "storageClassName"));
      if (!booleanField(storageClass, "allowVolumeExpansion")) throw refusedObject(request, refusal);
    },
  };
}

function asksForMore(object: DynamicObject | undefined, old: DynamicObject | undefined): boolean {
  const [now, before] = [storageOf(object), storageOf(old)];
  return now !== undefined && before !== undefined && now.compare(before) > 0;
}

function storageOf(claim: DynamicObject | undefined): Quantity | undefined {
  return resourceList(objectField(objectField(objectField(claim, "spec"), "resources"), "requests")).get("storage");
}

import { booleanField } from "../../../kinds/json-fields.ts";
import type { PodCheck } from "../check.ts";

/** A pod has its own network, processes and messages. */
export const hostNamespaces: PodCheck = ({ spec }) => {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => booleanField(spec, name));
  return shared.length === 0 ? undefined : { reason: "host namespaces", detail: shared.map((name) => `${name}=true`).join(", ") };
};

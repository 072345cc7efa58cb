import { coreDetails } from "./core/core-details.ts";
import type { CoreRoles } from "./core/core-details.ts";
import { groupDetails } from "./groups/group-details.ts";
import type { GroupRoles } from "./groups/group-details.ts";
import type { KindDetailsTable } from "./kind-details.ts";

/** Everything known of built-in kinds beyond the tables, for one server: what they reserve is not shared with others. */
export function kindDetails(roles: CoreRoles & GroupRoles = {}): KindDetailsTable {
  return { ...coreDetails(roles), ...groupDetails(roles) };
}

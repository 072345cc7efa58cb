import { functionTable } from "../check/declaration.ts";
import type { FunctionTable } from "../check/declaration.ts";
import { authorizer } from "./authorizer.ts";
import { cidr } from "./cidr.ts";
import { conversions } from "./conversions.ts";
import { format } from "./format.ts";
import { ip } from "./ip.ts";
import { kubernetesLists } from "./kubernetes-lists.ts";
import { lists } from "./lists.ts";
import { operators } from "./operators.ts";
import { optional } from "./optional.ts";
import { quantity } from "./quantity.ts";
import { regex } from "./regex.ts";
import { semver } from "./semver.ts";
import { sets } from "./sets.ts";
import { strings } from "./strings.ts";
import { textTests } from "./text-tests.ts";
import { time } from "./time.ts";
import { url } from "./url.ts";

/** The functions of Kubernetes 1.36, as its `environment/base.go` chooses them. */
export const kubernetesFunctions: FunctionTable = functionTable([
  operators,
  conversions,
  textTests,
  time,
  optional,
  strings,
  sets,
  lists,
  url,
  regex,
  kubernetesLists,
  authorizer,
  quantity,
  ip,
  cidr,
  format,
  semver,
]);

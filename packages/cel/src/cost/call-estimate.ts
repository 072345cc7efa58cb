import type { Type } from "../check/type.ts";
import { sameType } from "../check/type.ts";
import type { Expr } from "../syntax/expr.ts";
import { isInt } from "../value/value.ts";
import { Estimate, mostAmount, unknown } from "./estimate.ts";

/** An operand of a call. */
export interface Operand {
  readonly type: Type;
  readonly expr: Expr;
  /** Undefined when it is not known. */
  readonly size: Estimate | undefined;
  /** Of the items, if it is a list. */
  readonly itemSize: Estimate | undefined;
}

/** A call of which the cost is estimated. */
export interface EstimatedCall {
  readonly name: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

/** What a call costs, without its operands, and how large its result is. */
export interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate | undefined;
}

/** What the libraries of Kubernetes, and those for lists and sets, say of their functions; undefined when they say nothing. */
export function estimateCall(call: EstimatedCall): CallEstimate | undefined {
  return estimators.get(call.name)?.(call);
}

const textFactor = 0.1;
const regexFactor = 0.25;
const allocation = Estimate.of(11);

type Estimator = (call: EstimatedCall) => CallEstimate | undefined;

function named(estimator: Estimator, ...names: readonly string[]): [string, Estimator][] {
  return names.map((name) => [name, estimator]);
}

const unit: CallEstimate = { cost: Estimate.one };

const estimators: ReadonlyMap<string, Estimator> = new Map([
  ...named(() => ({ cost: Estimate.of(350_000) }), "check"),
  ...named(() => unit, "serviceAccount", "path", "group", "resource", "subresource", "namespace", "name"),
  ...named(() => unit, "allowed", "reason", "error", "errored", "format.named"),
  ...named(() => unit, "masked", "prefixLength", "family", "isUnspecified", "isLoopback"),
  ...named(() => unit, "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast"),
  ...named(() => unit, "sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan", "isLessThan", "compareTo", "add", "sub"),
  ...named(() => unit, "major", "minor", "patch", "getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery"),
  ...named(selectors, "fieldSelector", "labelSelector"),
  ...named(traversal, "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"),
  ...named(({ args: [text] }) => sized(text), "url"),
  ...named(({ target }) => sized(target), "lowerAscii", "upperAscii", "substring", "trim"),
  ...named(({ args: [text] }) => text && { cost: sizeOf(text).scaled(textFactor) }, "cidr", "isIP", "isCIDR"),
  ...named(({ args: [text] }) => text && { cost: sizeOf(text).scaled(textFactor) }, "quantity", "isQuantity", "semver", "isSemver"),
  ...named(({ args: [text] }) => text && { cost: sizeOf(text).scaled(2 * textFactor) }, "ip.isCanonical"),
  ...named(ip, "ip"),
  ...named(replace, "replace"),
  ...named(split, "split"),
  ...named(join, "join"),
  ...named(find, "find", "findAll"),
  ...named(contains, "containsIP", "containsCIDR"),
  ...named(
    ({ args: [text] }) =>
      text && {
        cost: sizeOf(text)
          .scaled(textFactor)
          .scaled(128 * regexFactor),
      },
    "validate",
  ),
  ...named(equality, "_==_"),
  ...named(slice, "slice"),
  ...named(({ args: [count] }) => allocated(1, Estimate.of(literalOf(count) ?? mostAmount)), "lists.range"),
  ...named(({ target }) => allocated(1, sizeOf(target)), "reverse"),
  ...named(({ target, args: [depth] }) => allocated(depth === undefined ? 1 : (literalOf(depth) ?? mostAmount), sizeOf(target)), "flatten"),
  ...named(({ target }) => allocated(2, sizeOf(target).times(sizeOf(target))), "distinct"),
  ...named(({ target }) => sorted(target), "sort"),
  ...named(({ args: [keys] }) => sorted(keys), "@sortByAssociatedKeys"),
  ...named((call) => pairs(call, 1), "sets.contains", "sets.intersects"),
  ...named((call) => pairs(call, 2), "sets.equivalent"),
]);

function sizeOf(operand: Operand | undefined): Estimate {
  return operand?.size ?? unknown;
}

function sized(text: Operand | undefined): CallEstimate | undefined {
  return text && { cost: sizeOf(text).scaled(textFactor), size: sizeOf(text) };
}

function selectors({ args: [selector] }: EstimatedCall): CallEstimate | undefined {
  if (selector === undefined) return undefined;
  const length = sizeOf(selector);
  return { cost: Estimate.of(10).plus(length.scaled(textFactor)).plus(length.scaled(0.5).scaled(50)) };
}

function traversal({ target }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const [item] = target.type.parameters;
  if (item === undefined) return { cost: sizeOf(target).scaled(textFactor) };
  const isText = item.kind === "string" || item.kind === "bytes";
  const each = isText ? Estimate.one.plus((target.itemSize ?? unknown).scaled(textFactor)) : Estimate.one;
  return { cost: sizeOf(target).times(each) };
}

function ip({ overload, args: [text] }: EstimatedCall): CallEstimate | undefined {
  if (overload === "cidr_ip") return unit;
  return text && { cost: sizeOf(text).scaled(textFactor) };
}

function replace({ target, args: [old, fresh] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined || old === undefined || fresh === undefined) return undefined;
  const [text, replaced, by] = [sizeOf(target), sizeOf(old), sizeOf(fresh)];
  let [mostTimes, mostKept, leastTimes, leastKept] = [0, 0, 0, 0];
  if (replaced.min === 0) [mostTimes, mostKept] = [text.max + 1, text.max];
  else if (by.max <= replaced.min) mostKept = text.max;
  else mostTimes = Math.ceil(text.max / replaced.min);
  if (replaced.max === 0) [leastTimes, leastKept] = [text.min + 1, text.min];
  else if (replaced.max <= by.min) leastKept = text.min;
  else leastTimes = Math.ceil(text.min / replaced.max);
  const size = new Estimate(leastTimes, mostTimes).times(by).plus(new Estimate(leastKept, mostKept));
  return { cost: text.scaled(2 * textFactor), size };
}

function split({ target, args: [, limit] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const value = limit?.expr.type === "Literal" && isInt(limit.expr.value) ? Number(limit.expr.value) : undefined;
  // A negative limit means no limit: upstream reads it as a very large unsigned number.
  const most = value === undefined ? size.max : value < 0 ? mostAmount : value;
  return { cost: size.scaled(2 * textFactor), size: new Estimate(0, most) };
}

function join({ target, args: [separator] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const list = sizeOf(target);
  const texts = target.type.parameters.length > 0 ? list.times(target.itemSize ?? unknown) : Estimate.zero;
  const between = new Estimate(Math.max(0, list.min - 1), Math.max(0, list.max - 1));
  const size = separator === undefined ? texts : texts.plus(sizeOf(separator).times(between));
  return { cost: size.scaled(textFactor), size };
}

function find({ target, args: [pattern] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined || pattern === undefined) return undefined;
  const text = sizeOf(target);
  const cost = text.plus(Estimate.one).scaled(textFactor).times(sizeOf(pattern).scaled(regexFactor));
  return { cost, size: new Estimate(0, text.max) };
}

function contains({ name, overload, args: [inner] }: EstimatedCall): CallEstimate | undefined {
  if (inner === undefined) return undefined;
  const address = new Estimate(4, 16);
  const comparison = address.plus(address).scaled(textFactor);
  const cost = name === "containsIP" ? comparison : comparison.plus(address.scaled(textFactor)).plus(Estimate.one);
  return { cost: overload.endsWith("_string") ? cost.plus(sizeOf(inner).scaled(textFactor)) : cost };
}

const cheap: ReadonlySet<string> = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.URL",
  ...["Authorizer", "PathCheck", "GroupCheck", "ResourceCheck", "Decision"].map((name) => `kubernetes.authorization.${name}`),
]);

/** Values of the libraries are compared at once. */
function equality({ args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  if (cheap.has(left.type.name)) return unit;
  return left.type.name === "kubernetes.NamedFormat" ? { cost: new Estimate(1, 64).scaled(textFactor) } : undefined;
}

function slice({ target, args: [start, end] }: EstimatedCall): CallEstimate {
  const size = (literalOf(end) ?? sizeOf(target).max) - (literalOf(start) ?? 0);
  // Upstream computes with unsigned numbers, so a negative difference is a very large one.
  return allocated(1, Estimate.of(size < 0 ? mostAmount : size));
}

function sorted(keys: Operand | undefined): CallEstimate {
  const item = keys?.type.parameters[0]?.kind;
  const mayBeText = item === "string" || item === "bytes" || item === "dyn";
  return allocated(mayBeText ? 2.1 : 2, sizeOf(keys).times(sizeOf(keys)));
}

function pairs({ args: [left, right] }: EstimatedCall, factor: number): CallEstimate {
  return { cost: sizeOf(left).times(sizeOf(right)).scaled(factor).plus(Estimate.one) };
}

/** A list is made, at a cost for each item. */
function allocated(factor: number, size: Estimate): CallEstimate {
  return { cost: size.scaled(factor).plus(allocation), size };
}

function literalOf(operand: Operand | undefined): number | undefined {
  if (operand?.expr.type !== "Literal" || !isInt(operand.expr.value)) return undefined;
  return Math.max(0, Number(operand.expr.value));
}

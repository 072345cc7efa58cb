import type { Handler, Markup } from "../page/markup.ts";

/** What an element was drawn from last. */
const drawn = new WeakMap<Node, Markup>();

/**
 * Makes the children of an element what the markup says, and keeps every element that stays: what has the focus keeps it, and what is scrolled stays where it is. Text is
 * only ever set as text.
 */
export function render(parent: Element, children: readonly (Markup | string)[]): void {
  const left = new Set<ChildNode>(parent.childNodes);
  const keyed = new Map([...left].map((node) => [drawn.get(node)?.key, node]));
  const wanted = children.map((child) => {
    const node = reusable(child, keyed, left) ?? create(child);
    left.delete(node);
    return { child, node };
  });
  // First of all, so that what stays need not be moved: an element that is moved loses the focus.
  for (const node of left) node.remove();
  let next = parent.firstChild;
  for (const { child, node } of wanted) {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
    update(node, child);
  }
}

/** The element with the same key, or the first that is left over of the same sort. */
function reusable(
  child: Markup | string,
  keyed: ReadonlyMap<string | undefined, ChildNode>,
  left: ReadonlySet<ChildNode>,
): ChildNode | undefined {
  if (typeof child === "string") return left.values().find((node) => node instanceof Text);
  const fits = (node: ChildNode | undefined): boolean =>
    node !== undefined && left.has(node) && drawn.get(node)?.tag === child.tag && drawn.get(node)?.key === child.key;
  if (child.key === undefined) return left.values().find(fits);
  const node = keyed.get(child.key);
  return fits(node) ? node : undefined;
}

function create(child: Markup | string): ChildNode {
  if (typeof child === "string") return document.createTextNode(child);
  const node = document.createElement(child.tag);
  for (const type of Object.keys(child.handlers)) {
    node.addEventListener(type, (event) => {
      if (!isForBrowser(event)) handlerOf(node, type)?.(valueOf(node));
    });
  }
  return node;
}

function update(node: ChildNode, child: Markup | string): void {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  // What is the same markup is drawn already.
  if (!(node instanceof HTMLElement) || drawn.get(node) === child) return;
  const before = drawn.get(node)?.attributes ?? {};
  drawn.set(node, child);
  for (const name of Object.keys(before)) if (child.attributes[name] === undefined) node.removeAttribute(name);
  for (const [name, value] of Object.entries(child.attributes)) if (before[name] !== value) node.setAttribute(name, value);
  render(node, child.children);
  setValue(node, child.attributes["value"]);
}

/** What is in a field is not what its attribute says once the user has written there. */
function setValue(node: HTMLElement, value: string | undefined): void {
  if (value === undefined) return;
  if ((node instanceof HTMLInputElement || node instanceof HTMLSelectElement) && node.value !== value) node.value = value;
}

/** A click with a key held opens another tab or window, and one that ends the marking of text is for that text. */
function isForBrowser(event: Event): boolean {
  if (!(event instanceof MouseEvent)) return false;
  return event.ctrlKey || event.metaKey || event.shiftKey || getSelection()?.type === "Range";
}

/** The handler of the present markup: the element may have been drawn again since it was made. */
function handlerOf(node: Node, type: string): Handler | undefined {
  return drawn.get(node)?.handlers[type];
}

function valueOf(node: HTMLElement): string {
  return node instanceof HTMLInputElement || node instanceof HTMLSelectElement ? node.value : "";
}

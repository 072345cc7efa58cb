/** An element of the page before it is drawn: made without a document, so that views are functions that tests can look at. */
export interface Markup {
  readonly tag: string;
  /** What makes it the same element when it is drawn again. Without one it is told by its place. */
  readonly key: string | undefined;
  /** As attributes of HTML. Texts of a cluster become attributes and text, never markup. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly children: readonly (Markup | string)[];
}

/** Hears of an event with what the user has written or chosen in the element, if it is a field. */
export type Handler = (value: string) => void;

/** What an element is made of besides its children. */
export interface MarkupOptions {
  readonly key?: string;
  readonly class?: string;
  readonly on?: Readonly<Record<string, Handler>>;
  /** Further attributes; those that are undefined are left out. */
  readonly with?: Readonly<Record<string, string | undefined>>;
}

/** What is undefined is left out. */
export type Child = Markup | string | undefined | readonly Child[];

/** Makes an element. */
export function element(tag: string, options: MarkupOptions = {}, ...children: readonly Child[]): Markup {
  const { key, class: className, on = {}, with: others = {} } = options;
  const given = Object.entries({ class: className, ...others }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { tag, key, attributes: Object.fromEntries(given), handlers: on, children: flat(children) };
}

function flat(children: readonly Child[]): (Markup | string)[] {
  return children.flatMap((child) => (child === undefined ? [] : isList(child) ? flat(child) : [child]));
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** All text in it, one piece to a line. */
export function textOf(markup: Markup | string): string {
  return typeof markup === "string" ? markup : markup.children.map(textOf).join("\n");
}

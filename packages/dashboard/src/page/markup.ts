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
  const given = Object.entries({ class: className, ...others }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, name === "title" ? inNumbers(value) : value]],
  );
  return { tag, key, attributes: Object.fromEntries(given), handlers: on, children: flat(children) };
}

function flat(children: readonly Child[]): (Markup | string)[] {
  return children.flatMap((child) => {
    if (child === undefined) return [];
    if (typeof child === "string") return [inNumbers(child)];
    return isList(child) ? flat(child) : [child];
  });
}

/** Characters that turn the direction of the text that follows them, even in the elements beside, and those for terminals, which nobody sees: shown by their numbers, nothing is read as what it is not. */
const unseen = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

function inNumbers(text: string): string {
  return text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** All text in it, one piece to a line. */
export function textOf(markup: Markup | string): string {
  return typeof markup === "string" ? markup : markup.children.map(textOf).join("\n");
}

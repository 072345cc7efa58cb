import type { Markup } from "./markup.ts";

/**
 * Makes markup of something once, for as long as the words that it depends on besides are the same. What is the same markup is not looked at again when the page is drawn:
 * a page at rest costs next to nothing, however much is on it. What its handlers call must be the same at each draw.
 */
export function remembered(): (of: object, words: string, make: () => Markup) => Markup {
  const made = new WeakMap<object, { readonly words: string; readonly markup: Markup }>();
  return (of, words, make) => {
    const before = made.get(of);
    if (before?.words === words) return before.markup;
    const markup = make();
    made.set(of, { words, markup });
    return markup;
  };
}

import type { View } from './route.ts';

/** Serialized answers by source object, garbage-collected with it, then by view. */
const cache = new WeakMap<object, Map<View<never>, Buffer>>();

/** Returns the serialized answer for `source` and this view; calls `print` only the first time. */
export function cachedDocument(source: object, view: View<never>, print: () => string): Buffer {
  let texts = cache.get(source);
  if (texts === undefined) {
    texts = new Map();
    cache.set(source, texts);
  }
  let text = texts.get(view);
  if (text === undefined) {
    text = Buffer.from(print());
    texts.set(view, text);
  }
  return text;
}

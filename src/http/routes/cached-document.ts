import type { View } from './route.ts';

/** Texts by what they were printed from, forgotten with it; within that by view, since each prints differently. */
const cache = new WeakMap<object, Map<View<never>, Buffer>>();

/** The text that `print` made of `source` for this view when it was first asked for, as the bytes that go out. */
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

/** Bound of the nesting, which protects the parser's stack; no configuration is nested deeper. */
const maxDepth = 32;

/** Where and why a text is not JSON, for the person who wrote it. */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  readonly problem: string;
}

export type JsonOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly fault: JsonFault };

/**
 * Parses JSON and reports the position of an error. `JSON.parse` alone accepts duplicate keys and often gives
 * no position, which does not help somebody who edits the file on a Pi.
 */
export function readJsonText(source: string): JsonOutcome {
  // Editors of other systems may add a byte order mark.
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const broken = findBreak(text);
  if (broken !== null)
    return { kind: 'fault', fault: { ...findPosition(text, broken.at), problem: broken.problem } };
  return { kind: 'value', value: JSON.parse(text) };
}

interface Break {
  readonly at: number;
  readonly problem: string;
}

class BrokenJson extends Error {
  readonly found: Break;
  constructor(at: number, problem: string) {
    super(problem);
    this.found = { at, problem };
  }
}

function findBreak(text: string): Break | null {
  try {
    const end = skipBlank(text, value(text, skipBlank(text, 0), 0));
    if (end < text.length) throw new BrokenJson(end, 'unexpected text after the end of the configuration');
    return null;
  } catch (fault) {
    if (fault instanceof BrokenJson) return fault.found;
    throw fault;
  }
}

function findPosition(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1;
  if (text[at] === '/' || text[at] === '#') throw new BrokenJson(at, 'JSON has no comments; remove this one');
  return at;
}

/** Returns the position after the value that begins at `at`. */
function value(text: string, at: number, depth: number): number {
  if (depth > maxDepth) throw new BrokenJson(at, `nested deeper than ${maxDepth} levels`);
  const first = text[at];
  if (first === undefined) throw new BrokenJson(at, 'a value is missing at the end of the text');
  if (first === '{') return object(text, at, depth);
  if (first === '[') return array(text, at, depth);
  if (first === '"') return string(text, at);
  return plain(text, at);
}

function object(text: string, open: number, depth: number): number {
  const seen = new Set<string>();
  let at = skipBlank(text, open + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] === '}') throw new BrokenJson(at, 'remove the comma before this }');
    if (text[at] !== '"')
      throw new BrokenJson(at, `expected a key in double quotes, not ${describeToken(text, at)}`);
    const end = string(text, at);
    const key = JSON.parse(text.slice(at, end)) as string;
    if (seen.has(key)) throw new BrokenJson(at, `the key "${key}" is repeated`);
    seen.add(key);
    at = skipBlank(text, end);
    if (text[at] !== ':') throw new BrokenJson(at, `expected a colon after the key "${key}"`);
    at = skipBlank(text, value(text, skipBlank(text, at + 1), depth + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new BrokenJson(at, `expected a comma or }, not ${describeToken(text, at)}`);
    at = skipBlank(text, at + 1);
  }
}

function array(text: string, open: number, depth: number): number {
  let at = skipBlank(text, open + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    if (text[at] === ']') throw new BrokenJson(at, 'remove the comma before this ]');
    at = skipBlank(text, value(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new BrokenJson(at, `expected a comma or ], not ${describeToken(text, at)}`);
    at = skipBlank(text, at + 1);
  }
}

function string(text: string, open: number): number {
  // Sticky, so that a long file is not searched from its start for every string.
  // The first class is every character from the space on, except the quote and the backslash.
  const whole = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
  whole.lastIndex = open;
  if (!whole.test(text))
    throw new BrokenJson(open, 'this quoted text is not closed or contains an invalid \\');
  return whole.lastIndex;
}

function plain(text: string, at: number): number {
  const whole = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  whole.lastIndex = at;
  if (!whole.test(text) || /[\w.+-]/.test(text[whole.lastIndex] ?? ' ')) {
    throw new BrokenJson(at, `${describeToken(text, at)} is not a value; text needs double quotes`);
  }
  return whole.lastIndex;
}

function describeToken(text: string, at: number): string {
  const word = /[\w.+-]{1,24}|[\s\S]/y;
  word.lastIndex = at;
  return at >= text.length ? 'the end of the text' : `\`${word.exec(text)![0]}\``;
}

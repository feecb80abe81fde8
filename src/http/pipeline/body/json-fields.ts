import { AppError } from '../../../core/app-error.ts';
import type { Fields } from '../../routes/route.ts';

/** Whether the sender of a body is known before it is read. */
export type Sender = 'known' | 'anonymous';

/** More levels than any body of ours has. */
const maxLevels = 32;

/** More values than any body has that is accepted of a sender who is not known. */
const maxAnonymousValues = 500;

const [quote, comma, openObject, closeObject, openList, closeList] = [...'",{}[]'].map((sign) =>
  sign.charCodeAt(0),
);

/** Parses one JSON object; an empty text counts as an empty object. Levels and values are bounded before it is parsed. */
export function parseJsonFields(text: string, sender: Sender): Fields {
  if (text.trim() === '') return {};
  requireFewValues(text, sender === 'anonymous' ? maxAnonymousValues : text.length);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_request', 'The body must be one JSON object.');
  }
  const duplicate = findDuplicateName(text);
  if (duplicate !== null) {
    const fault = 'is sent twice; send it once';
    const field = duplicate.slice(0, 64);
    throw new AppError('invalid_request', `${field} ${fault}.`, { fields: { [field]: fault } });
  }
  return value as Fields;
}

/** Throws for more values or levels than allowed; what is not JSON may pass. */
function requireFewValues(text: string, maxValues: number): void {
  let level = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = findEndOfText(text, at);
    else if (sign === comma) values += 1;
    else if (sign === closeObject || sign === closeList) level -= 1;
    else if (sign === openObject || sign === openList) {
      level += 1;
      values += 1;
    } else continue;
    if (level > maxLevels) throw tooMany(`levels; ${maxLevels} are allowed`);
    if (values > maxValues) throw tooMany(`values; ${maxValues} are allowed without a key or log-in`);
  }
}

const tooMany = (what: string) => new AppError('invalid_request', `The body has too many ${what}.`);

/** The place of the quote that ends a text; behind the last character if it is missing. */
function findEndOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

/** Finds a name that occurs twice in an object. `JSON.parse` silently keeps the last value, which may be wrong. */
function findDuplicateName(json: string): string | null {
  /** The names of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at);
    if (sign === quote) {
      const start = at;
      at = findEndOfText(json, at);
      if (!isName) continue;
      const name = JSON.parse(json.slice(start, at + 1)) as string;
      const names = open.at(-1)!;
      if (names?.has(name)) return name;
      names?.add(name);
      isName = false;
    } else if (sign === openObject) {
      open.push(new Set());
      isName = true;
    } else if (sign === openList) {
      open.push(null);
      isName = false;
    } else if (sign === closeObject || sign === closeList) {
      open.pop();
      isName = false;
    } else if (sign === comma) isName = open.at(-1) !== null;
  }
  return null;
}

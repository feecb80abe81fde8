/** A placeholder, with its forms by name when one of them is chosen by the value. */
export interface Placeholder {
  readonly name: string;
  readonly type: 'text' | 'number' | 'plural' | 'select';
  readonly forms: Readonly<Record<string, ParsedMessage>>;
}

/** A message that is not written as `parseMessage` expects. */
export class MessageError extends SyntaxError {
  override readonly name = 'MessageError';
}

/** Forms inside of forms; people need two, and a deeper message would exhaust the stack. */
const maxDepth = 8;

/** The parts of a message in order: literal texts and placeholders. */
export type ParsedMessage = readonly (string | Placeholder)[];

/**
 * Parses the part of ICU MessageFormat that the catalogues use: `{name}`, `{name, number}`,
 * `{name, plural, =0 {…} one {…} other {…}}` and `{name, select, a {…} other {…}}`. There is no escape character. Throws only
 * `MessageError`.
 */
export function parseMessage(message: string): ParsedMessage {
  let position = 0;
  const result = parseParts(0);
  if (position < message.length) fail('no “}”');
  return result;

  function parseParts(depth: number): ParsedMessage {
    if (depth > maxDepth) fail('fewer forms inside of forms');
    const parts: (string | Placeholder)[] = [];
    while (position < message.length && message[position] !== '}') {
      parts.push(message[position] === '{' ? parsePlaceholder(depth) : read(/[^{}]+/y));
    }
    return parts;
  }

  function parsePlaceholder(depth: number): Placeholder {
    read(/\{/y);
    const name = read(/\w+/y);
    const type = message[position] === ',' ? read(/, (?:number|plural|select)/y).slice(2) : 'text';
    // Without a prototype, so that the value “constructor” has no form.
    const forms = Object.create(null) as Record<string, ParsedMessage>;
    if (type === 'plural' || type === 'select') {
      read(/,/y);
      while (message[position] !== '}') {
        const form = read(/ (?:=\d+|\w+) \{/y).slice(1, -2);
        forms[form] = parseParts(depth + 1);
        read(/\}/y);
      }
      if (!forms.other) fail('the form “other”');
    }
    read(/\}/y);
    return { name, type: type as Placeholder['type'], forms };
  }

  function read(pattern: RegExp): string {
    pattern.lastIndex = position;
    const found = pattern.exec(message)?.[0];
    if (found === undefined) return fail(String(pattern));
    position += found.length;
    return found;
  }

  function fail(expected: string): never {
    throw new MessageError(`Expected ${expected} at position ${position} of the message “${message}”`);
  }
}

/** A placeholder, with its forms by name when one of them is chosen by the value. */
export interface Placeholder {
  readonly name: string;
  readonly type: 'text' | 'number' | 'plural' | 'select';
  readonly forms: Readonly<Record<string, ParsedMessage>>;
}

/** The parts of a message in order: literal texts and placeholders. */
export type ParsedMessage = readonly (string | Placeholder)[];

/**
 * Parses the part of ICU MessageFormat that the catalogues use: `{name}`, `{name, number}`,
 * `{name, plural, =0 {…} one {…} other {…}}` and `{name, select, a {…} other {…}}`. There is no escape character.
 */
export function parseMessage(message: string): ParsedMessage {
  let position = 0;
  const result = parseParts();
  if (position < message.length) fail('no “}”');
  return result;

  function parseParts(): ParsedMessage {
    const parts: (string | Placeholder)[] = [];
    while (position < message.length && message[position] !== '}') {
      parts.push(message[position] === '{' ? parsePlaceholder() : read(/[^{}]+/y));
    }
    return parts;
  }

  function parsePlaceholder(): Placeholder {
    read(/\{/y);
    const name = read(/\w+/y);
    const type = message[position] === ',' ? read(/, (?:number|plural|select)/y).slice(2) : 'text';
    const forms: Record<string, ParsedMessage> = {};
    if (type === 'plural' || type === 'select') {
      read(/,/y);
      while (message[position] !== '}') {
        const form = read(/ (?:=\d+|\w+) \{/y).slice(1, -2);
        forms[form] = parseParts();
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
    throw new SyntaxError(`Expected ${expected} at position ${position} of the message “${message}”`);
  }
}

/** Longest value, name or comment of a dump, characters. */
const maxTokenCharacters = 4 * 1024 * 1024;

/** `more`: the text ends within a token. */
type TokenKind = 'word' | 'name' | 'string' | 'sign' | 'comment' | 'more' | 'end';

const [doubleQuote, hash, singleQuote, dash, slash, backslash, backtick] = [34, 35, 39, 45, 47, 92, 96];

/**
 * Splits the text of a dump into tokens, chunk by chunk. Each character of the text is one byte of the file, so that no
 * chunk cuts a character; values are decoded by the caller. Throws a `RangeError` for a token that is too long.
 */
export function createSqlScanner() {
  let text = '';
  let at = 0;
  let isEnded = false;
  let value = '';
  /** MySQL reads a backslash within quotes as the beginning of an escape, PostgreSQL as itself. */
  let hasBackslashEscapes = true;

  /** Where the quoted token ends; -1 when the text ends before. */
  const endOfQuoted = (quote: number): number => {
    const escapes = hasBackslashEscapes && quote !== backtick;
    for (let i = at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === backslash && escapes) i += 1;
      else if (code === quote) {
        if (text.charCodeAt(i + 1) === quote) i += 1;
        else return i + 1 < text.length || isEnded ? i + 1 : -1;
      }
    }
    return -1;
  };
  const quoted = (quote: number): TokenKind => {
    const end = endOfQuoted(quote);
    if (end < 0) return 'more';
    value = unquote(
      text.slice(at + 1, end - 1),
      String.fromCharCode(quote),
      hasBackslashEscapes && quote !== backtick,
    );
    at = end;
    return quote === backtick ? 'name' : 'string';
  };
  const until = (mark: string, from: number): TokenKind => {
    const end = text.indexOf(mark, from);
    if (end < 0 && !(isEnded && mark === '\n')) return 'more';
    value = text.slice(from, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + mark.length;
    return 'comment';
  };
  const read = (): TokenKind => {
    blanks.lastIndex = at;
    blanks.test(text);
    at = blanks.lastIndex;
    if (at >= text.length) return isEnded ? 'end' : 'more';
    const code = text.charCodeAt(at);
    if (code === singleQuote || code === doubleQuote || code === backtick) return quoted(code);
    if (code === hash) return until('\n', at + 1);
    if (code === dash || code === slash) {
      if (at + 2 >= text.length && !isEnded) return 'more';
      if (text.startsWith('/*', at)) return until('*/', at + 2);
      if (lineComment.test(text.slice(at, at + 3))) return until('\n', at + 2);
    }
    words.lastIndex = at;
    words.test(text);
    const end = words.lastIndex;
    if (end <= at) {
      value = text[at]!;
      at += 1;
      return 'sign';
    }
    if (end >= text.length && !isEnded) return 'more';
    value = text.slice(at, end);
    at = end;
    return 'word';
  };

  return {
    push(chunk: string): void {
      text = text.slice(at) + chunk;
      at = 0;
    },
    /** No more chunks follow. */
    end(): void {
      isEnded = true;
    },
    /** Reads the next token, whose text is `text()`. */
    next(): TokenKind {
      const kind = read();
      if (kind === 'more' && isEnded) return 'end';
      if (kind === 'more' && text.length - at > maxTokenCharacters) throw new RangeError('too long');
      return kind;
    },
    text: (): string => value,
    /** The rest of the line without its end; null when the text ends before. */
    line(): string | null {
      const end = text.indexOf('\n', at);
      if (end < 0) {
        if (text.length - at > maxTokenCharacters) throw new RangeError('too long');
        return null;
      }
      const line = text.slice(at, end);
      at = end + 1;
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    },
    /** Whether everything was read. */
    isDone: (): boolean => text.slice(at).trim() === '',
    readBackslashesAsThemselves(): void {
      hasBackslashEscapes = false;
    },
  };
}

export type SqlScanner = ReturnType<typeof createSqlScanner>;

const blanks = /[ \t\r\n\f\v]*/y;
const words = /[\w.$@+:\x80-\xff-]*/y;
const lineComment = /^--([ \t\r\n]|$)/;

/** The characters that MySQL escapes; any other one after a backslash stands for itself. */
const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
};

function unquote(text: string, quote: string, hasEscapes: boolean): string {
  const single = text.includes(quote) || (hasEscapes && text.includes('\\'));
  if (!single) return text;
  return hasEscapes
    ? text.replaceAll(/\\(.)|''|""/gs, (match, escaped: string | undefined) => {
        if (escaped !== undefined) return escapes[escaped] ?? escaped;
        return match[0] === quote ? quote : match;
      })
    : text.replaceAll(quote + quote, quote);
}

/** What PostgreSQL writes instead of some characters of a `COPY`. */
const copyEscapes: Readonly<Record<string, string>> = { ...escapes, f: '\f', v: '\v' };

/** The values of a line of a `COPY`. */
export const readCopyLine = (line: string): readonly (string | null)[] =>
  line
    .split('\t')
    .map((cell) =>
      cell === '\\N'
        ? null
        : cell.replaceAll(/\\(.)/gs, (_match, escaped: string) => copyEscapes[escaped] ?? escaped),
    );

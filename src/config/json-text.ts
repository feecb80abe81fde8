import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

/** Bound of the nesting, which protects the parser's stack; no configuration is nested deeper. */
const maxDepth = 32;

/** Where and why a text is not JSON, for the person who wrote it. */
interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  readonly problem: string;
}

type JsonOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly fault: JsonFault };

/**
 * Parses JSON and reports the position of an error. `JSON.parse` alone accepts duplicate keys and often gives
 * no position, which does not help somebody who edits the file on a Pi.
 */
export function readJsonText(source: string): JsonOutcome {
  // Editors of other systems may add a byte order mark.
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  try {
    visit(text, throwFirstFault(text), { disallowComments: true });
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof InvalidJson) return { kind: 'fault', fault: error.fault };
    throw error;
  }
}

class InvalidJson extends Error {
  readonly fault: JsonFault;
  constructor(line: number, character: number, problem: string) {
    super(problem);
    this.fault = { line: line + 1, column: character + 1, problem };
  }
}

/** Throws `InvalidJson` for the first syntax error, a repeated key or too deep nesting. */
function throwFirstFault(text: string): JSONVisitor {
  /** The keys so far of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let lastKey = '';

  function begin(keys: Set<string> | null, line: number, character: number): void {
    if (open.length > maxDepth) {
      throw new InvalidJson(line, character, `nested deeper than ${maxDepth} levels`);
    }
    open.push(keys);
  }
  const end = () => {
    open.pop();
  };

  return {
    onObjectBegin: (_offset, _length, line, character) => begin(new Set(), line, character),
    onObjectEnd: end,
    onArrayBegin: (_offset, _length, line, character) => begin(null, line, character),
    onArrayEnd: end,
    onObjectProperty(key, _offset, _length, line, character) {
      if (open.at(-1)!.has(key)) throw new InvalidJson(line, character, `the key "${key}" is repeated`);
      open.at(-1)!.add(key);
      lastKey = key;
    },
    onError(error, offset, _length, line, character) {
      const start = findWordStart(text, offset);
      const code = printParseErrorCode(error);
      const problem = describeProblem(text, start, { code, container: findContainer(code, open), lastKey });
      throw new InvalidJson(line, character - (offset - start), problem);
    },
  };
}

/** The parser finds a fault such as that of `012` within the word. */
function findWordStart(text: string, offset: number): number {
  const isInWord = (at: number) => /[\w.+-]/.test(text[at] ?? '');
  let start = offset;
  while (isInWord(start) && isInWord(start - 1)) start -= 1;
  return start;
}

type Container = 'object' | 'array' | null;

function findContainer(code: string, open: readonly (ReadonlySet<string> | null)[]): Container {
  // These two are reported after the end of the container.
  if (code === 'CloseBraceExpected') return 'object';
  if (code === 'CloseBracketExpected') return 'array';
  if (open.length === 0) return null;
  return open.at(-1) ? 'object' : 'array';
}

interface Context {
  /** Name of the parser's error code. */
  readonly code: string;
  readonly container: Container;
  readonly lastKey: string;
}

function describeProblem(text: string, at: number, { code, container, lastKey }: Context): string {
  const token = describeToken(text, at);
  const before = text.slice(0, at).trimEnd().at(-1);
  if (code === 'InvalidCommentToken' || text[at] === '#') return 'JSON has no comments; remove this one';
  if (code === 'UnexpectedEndOfString') return 'this quoted text is not closed';
  if (text[at] === '"' && /^Invalid/.test(code)) {
    return 'this quoted text contains an invalid \\ or a control character';
  }
  if (container === null && before !== undefined) return 'unexpected text after the end of the configuration';
  const closing = container === 'object' ? '}' : ']';
  if (before === ',' && text[at] === closing) return `remove the comma before this ${closing}`;
  if (container === 'object' && (before === '{' || before === ',')) {
    return `expected a key in double quotes, not ${token}`;
  }
  if (code === 'ColonExpected') return `expected a colon after the key "${lastKey}"`;
  if (before === undefined || ':[,'.includes(before)) {
    if (at >= text.length) return 'a value is missing at the end of the text';
    return `${token} is not a value; text needs double quotes`;
  }
  return `expected a comma or ${closing}, not ${token}`;
}

function describeToken(text: string, at: number): string {
  const word = /[\w.+-]{1,24}|[\s\S]/y;
  word.lastIndex = at;
  return at >= text.length ? 'the end of the text' : `\`${word.exec(text)![0]}\``;
}

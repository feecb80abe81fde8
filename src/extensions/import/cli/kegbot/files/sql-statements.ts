import type { AppError } from '../../../../../core/app-error.ts';
import type { TableValue } from './table-rows.ts';

/** Most columns of a table, and most tokens before the rows of an `INSERT`. */
const maxColumns = 1_000;
const maxHeadTokens = 3 * maxColumns;

/** Words with which a line of a `CREATE TABLE` begins that is no column, unless they are quoted. */
const keyWords =
  /^(?:primary|unique|key|index|constraint|fulltext|spatial|foreign|check|exclude|like|period)$/i;

interface Token {
  readonly kind: string;
  readonly text: string;
}

interface StatementListeners {
  readonly wanted: ReadonlySet<string>;
  readonly onTable: (table: string) => void;
  readonly onRow: (table: string, columns: readonly string[], values: readonly TableValue[]) => void;
  readonly onCharset: (charset: string) => void;
  /** The error for a file that cannot be read. */
  readonly reject: (what: string) => AppError;
}

/** Finds the rows of the wanted tables in the tokens of a dump: `CREATE TABLE`, `INSERT`, `REPLACE` and `COPY`. */
export function createStatementReader({ wanted, onTable, onRow, onCharset, reject }: StatementListeners) {
  type State = 'start' | 'head' | 'columns' | 'rows' | 'row' | 'rest' | 'copy' | 'delimiter' | 'routine';
  let state: State = 'start';
  let head: Token[] = [];
  let depth = 0;
  let isItemStart = false;
  let isCopyStart = false;
  let table = '';
  let columns: string[] = [];
  let values: TableValue[] = [];
  let value: Token[] = [];
  /** Columns of the tables that were created. */
  const created = new Map<string, readonly string[]>();

  const emit = (row: readonly TableValue[]): void => {
    if (row.length !== columns.length) {
      throw reject(`has a row of ${table} with ${row.length} values for ${columns.length} columns`);
    }
    onRow(table, columns, row);
  };
  const endValue = (): void => {
    if (values.length >= maxColumns)
      throw reject(`has a row of ${table} with more than ${maxColumns} values`);
    values.push(toValue(value));
    value = [];
  };
  /** The columns of the rows that follow; empty for a table that is not wanted. */
  const startRows = (named: readonly string[]): boolean => {
    onTable(table);
    if (!wanted.has(table)) return false;
    const known = named.length > 0 ? named : created.get(table);
    if (known === undefined) {
      throw reject(`does not name the columns of ${table}: make it again with --complete-insert`);
    }
    columns = [...known];
    return true;
  };
  /** Takes the first tokens of a statement until it is clear what follows. */
  const takeHead = (token: Token): void => {
    if (head.length >= maxHeadTokens) throw reject('has a statement that no dump has');
    head.push(token);
    const first = head[0]!.text.toLowerCase();
    if (token.kind === 'sign' && token.text === ';') {
      endHead(first);
    } else if (/^(?:insert|replace)$/.test(first)) {
      if (token.kind !== 'word' || !/^values?$/i.test(token.text)) return;
      const named = readHead(head.slice(1, -1));
      table = named.table;
      state = startRows(named.columns) ? 'rows' : 'rest';
      head = [];
    } else if (first === 'create' && token.kind === 'sign' && token.text === '(') {
      const words = head.slice(1, -1);
      const isTable = words.some(({ kind, text }) => kind === 'word' && /^table$/i.test(text));
      state = isTable ? 'columns' : 'rest';
      if (isTable) startTable(readHead(words).table);
      head = [];
    } else if (first === 'delimiter' && head.length === 1) {
      state = 'delimiter';
      head = [];
    } else if (!/^(?:create|copy|set)$/.test(first)) {
      state = 'rest';
      head = [];
    }
  };
  const startTable = (name: string): void => {
    table = name;
    columns = [];
    depth = 1;
    isItemStart = true;
    onTable(table);
    if (wanted.has(table) && created.has(table)) {
      throw reject(`has the table ${table} twice: make a dump of one database`);
    }
  };
  const endHead = (first: string): void => {
    const words = head.slice(1, -1);
    head = [];
    state = 'start';
    const [second, charset] = words;
    if (first === 'set' && /^names$/i.test(second?.text ?? '') && charset) onCharset(charset.text);
    if (first !== 'copy') return;
    const named = readHead(words);
    table = named.table;
    columns = [];
    startRows(named.columns);
    state = 'copy';
    isCopyStart = true;
  };
  const takeColumn = ({ kind, text }: Token): void => {
    const wasStart = isItemStart;
    isItemStart = false;
    if (kind === 'sign' && text === '(') depth += 1;
    else if (kind === 'sign' && text === ')') {
      depth -= 1;
      if (depth > 0) return;
      if (wanted.has(table)) created.set(table, columns);
      state = 'rest';
    } else if (kind === 'sign' && text === ',') isItemStart = depth === 1;
    else if (wasStart && (kind !== 'word' || !keyWords.test(text))) {
      if (columns.length >= maxColumns) throw reject(`has more than ${maxColumns} columns in ${table}`);
      columns.push(text.toLowerCase());
    }
  };
  const takeInRow = (token: Token): void => {
    const sign = token.kind === 'sign' ? token.text : '';
    if (depth === 1 && sign === ',') {
      endValue();
      return;
    }
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth > 0) {
      // More than a sign and a number is an expression, whose value is not known.
      if (value.length < 4) value.push(token);
      return;
    }
    endValue();
    emit(values);
    values = [];
    state = 'rows';
  };

  const takeBetweenRows = (sign: string): void => {
    if (sign === '(') {
      state = 'row';
      depth = 1;
    } else if (sign === ';') state = 'start';
    else if (sign !== ',') state = 'rest';
  };

  return {
    take(kind: string, text: string): void {
      const sign = kind === 'sign' ? text : '';
      if (state === 'row') takeInRow({ kind, text });
      else if (state === 'rows') takeBetweenRows(sign);
      else if (state === 'columns') takeColumn({ kind, text });
      else if (state === 'head' || (state === 'start' && sign !== ';')) {
        state = 'head';
        takeHead({ kind, text });
      } else if (sign === ';') state = 'start';
    },
    useCharset: onCharset,
    /** The table whose rows follow as lines; null without one. */
    copiedTable: (): string | null => (state === 'copy' ? table : null),
    takeCopied(row: readonly (string | null)[]): void {
      // The rest of the line of the statement itself.
      if (isCopyStart) isCopyStart = false;
      else if (columns.length > 0) emit(row);
    },
    endCopy(): void {
      state = 'start';
    },
    /** Whether the next line is to be read as a whole: other delimiters enclose programs of the database. */
    isLineWanted: (): boolean => state === 'delimiter' || state === 'routine',
    takeLine(line: string): void {
      const delimiter = state === 'delimiter' ? line.trim() : /^delimiter\s+(\S+)/i.exec(line)?.[1];
      if (delimiter !== undefined) state = delimiter === ';' ? 'start' : 'routine';
    },
    /** Whether no statement is begun. */
    isBetween: (): boolean => state === 'start',
  };
}

/** The table and the columns that the words before the rows name. */
function readHead(tokens: readonly Token[]): { readonly table: string; readonly columns: readonly string[] } {
  const open = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === '(');
  const close = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === ')');
  const words = (open < 0 ? tokens : tokens.slice(0, open)).filter(
    ({ kind, text }) => kind !== 'word' || !/^(?:from|stdin)$/i.test(text),
  );
  const columns = open < 0 ? [] : tokens.slice(open + 1, close < 0 ? undefined : close);
  // Without the name of the database before the dot.
  const table = (words.at(-1)?.text ?? '').split('.').at(-1)!;
  return {
    table: table.toLowerCase(),
    columns: columns.filter(({ kind }) => kind !== 'sign').map(({ text }) => text.toLowerCase()),
  };
}

/** The value of the tokens between two commas; null also for an expression. */
function toValue(tokens: readonly Token[]): TableValue {
  const last = tokens.at(-1);
  if (last === undefined || tokens.length > 2) return null;
  const prefix = tokens.length === 2 ? tokens[0]! : null;
  if (last.kind === 'string') {
    if (prefix === null || /^(?:_\w+|n|e)$/i.test(prefix.text)) return last.text;
    if (/^x$/i.test(prefix.text)) return fromHex(last.text);
    return /^b$/i.test(prefix.text) ? Number.parseInt(last.text || '0', 2) : null;
  }
  if (prefix !== null && !/^_\w+$/.test(prefix.text)) return null;
  if (/^0x[\da-f]*$/i.test(last.text)) return fromHex(last.text.slice(2));
  if (/^(?:true|false)$/i.test(last.text)) return last.text.toLowerCase() === 'true';
  const number = /^[+-]?(?:\d|\.\d)/.test(last.text) ? Number(last.text) : Number.NaN;
  return Number.isNaN(number) ? null : number;
}

/** Each character is a byte, as in the rest of the file. */
const fromHex = (digits: string): string => Buffer.from(digits, 'hex').toString('latin1');

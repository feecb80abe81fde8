/** What a GS1 code on a keg says; null where it says nothing. Days are `YYYY-MM-DD`. */
export interface Gs1Facts {
  /** Number of the article, 8 to 14 digits. */
  readonly gtin: string | null;
  readonly batch: string | null;
  /** Day of filling: production date (11), else packaging date (13). */
  readonly bornOn: string | null;
  /** Best-before date (15), else expiry date (17). */
  readonly bestBefore: string | null;
}

/**
 * Application identifiers by GS1 General Specifications, section 3: the two or more digits before a value, with the length of the
 * value. The lengths of the rest of the fixed ones follow from their first two digits.
 */
const fixedLengths: Readonly<Record<string, number>> = {
  '00': 18,
  '01': 14,
  '02': 14,
  '03': 14,
  '20': 2,
  '11': 6,
  '12': 6,
  '13': 6,
  '15': 6,
  '16': 6,
  '17': 6,
};
/** Identifiers of four digits whose value has six: measures such as 3103, the net weight. */
const measure = /^3[1-6]\d\d/;
/** Identifiers of three digits with a value of thirteen: 410 to 417, locations. */
const location = /^41[0-7]/;
/** Identifiers of two digits with a value of any length up to its separator. */
const variable = new Set(['10', '21', '22', '30', '37']);

/** The separator between values in a code: FNC1, which readers give as this character. */
const separator = '\u001d';

/** Longest code that is read: of more no keg needs. */
export const maxCodeLength = 128;

/**
 * Reads a GS1 code of a label: GS1-128, DataMatrix or QR, as a reader gives it, or as printed with brackets. Null for anything else, of
 * which the text is all that is known.
 */
export function parseGs1(code: string): Gs1Facts | null {
  const text = code.trim().slice(0, maxCodeLength);
  const values = text.startsWith('(') ? splitBracketed(text) : splitRaw(text.replace(/^\][A-Za-z]\d/, ''));
  if (values === null || values.size === 0) return null;
  const facts = {
    gtin: values.get('01') ?? values.get('02') ?? null,
    batch: values.get('10') ?? null,
    bornOn: toDate(values.get('11') ?? values.get('13')),
    bestBefore: toDate(values.get('15') ?? values.get('17')),
  };
  return Object.values(facts).every((value) => value === null) ? null : facts;
}

function splitBracketed(text: string): ReadonlyMap<string, string> | null {
  const parts = [...text.matchAll(/\((\d{2,4})\)([^()]*)/g)];
  const length = parts.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== text.length) return null;
  return parts.every(([, identifier, value]) => hasRightLength(identifier!, value!))
    ? new Map(parts.map(([, identifier, value]) => [identifier!, value!]))
    : null;
}

const hasRightLength = (identifier: string, value: string): boolean => {
  const length = fixedLengths[identifier];
  return length === undefined ? value.length > 0 : value.length === length && /^\d+$/.test(value);
};

function splitRaw(text: string): ReadonlyMap<string, string> | null {
  const values = new Map<string, string>();
  let rest = text;
  while (rest.length > 0) {
    if (rest.startsWith(separator)) {
      rest = rest.slice(1);
      continue;
    }
    const identifier = measure.test(rest)
      ? rest.slice(0, 4)
      : location.test(rest)
        ? rest.slice(0, 3)
        : rest.slice(0, 2);
    const end = rest.indexOf(separator);
    const toSeparator = (end < 0 ? rest.length : end) - identifier.length;
    const length =
      identifier.length === 4
        ? 6
        : identifier.length === 3
          ? 13
          : (fixedLengths[identifier] ?? (variable.has(identifier) ? toSeparator : 0));
    const value = rest.slice(identifier.length, identifier.length + length);
    if (value.length < length || !hasRightLength(identifier, value)) return null;
    values.set(identifier, value);
    rest = rest.slice(identifier.length + length);
  }
  return values;
}

/** A date of a code, `YYMMDD`; day 00 is the last one of the month. Null for one that does not exist. */
function toDate(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [year, month, day] = [
    2_000 + Number(text.slice(0, 2)),
    Number(text.slice(2, 4)),
    Number(text.slice(4, 6)),
  ];
  if (month < 1 || month > 12) return null;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > lastDay) return null;
  return new Date(Date.UTC(year, month - 1, day === 0 ? lastDay : day)).toISOString().slice(0, 10);
}

/** Signs before the decimals of a number. */
export const decimalSigns = ['.', ','] as const;
export type DecimalSign = (typeof decimalSigns)[number];

/** A decimal number with this many digits is exact in JavaScript. */
const maxLength = 24;

const blank = /[\s'’]/;
const currency = /\p{Sc}|^[A-Z]{3}(?![A-Z])|(?<![A-Z])[A-Z]{3}$/gu;
const shape = /^([-+]?)((?:\d|[.,]|[\s'’](?=\d{3}(?!\d)))+)(-?)$/;

interface Written {
  readonly isNegative: boolean;
  /** Digits with their signs; blanks and apostrophes between groups of three stay. */
  readonly digits: string;
}

/** Takes currency, brackets and minus signs from a number: `(3.00)` and `3.00-` are negative. Null for what is no number. */
function readShape(text: string): Written | null {
  if (text.length > maxLength + 16) return null;
  const bare = text.trim().replaceAll('−', '-').replaceAll(currency, ' ').trim();
  const isBracketed = /^\(.*\)$/.test(bare);
  const inner = (isBracketed ? bare.slice(1, -1) : bare)
    .replaceAll(currency, ' ')
    .trim()
    .replace(/^([-+])\s+/, '$1')
    .replace(/\s+-$/, '-');
  const [, before = '', digits = '', after = ''] = shape.exec(inner) ?? [];
  if (!/\d/.test(digits) || digits.length > maxLength) return null;
  if ((before !== '' && after !== '') || (isBracketed && before + after !== '')) return null;
  return { isNegative: isBracketed || before === '-' || after !== '', digits };
}

/**
 * Parses a number of a file: `1.0`, `$8.00`, `1.234,50 €`, `1 234,5`, `(3.00)` or `3.00-` for a negative one. The decimal sign is known, never
 * guessed: the other sign, a blank or an apostrophe may only separate groups of three digits. Null for anything else.
 */
export function parseNumber(text: string, decimalSign: DecimalSign): number | null {
  const written = readShape(text);
  if (written === null) return null;
  const [whole = '', fraction = '', ...more] = written.digits.split(decimalSign);
  if (more.length > 0 || !/^\d*$/.test(fraction)) return null;
  const joint = /\D/.exec(whole)?.[0];
  const groups = joint === undefined ? [whole] : whole.split(joint);
  const areGroups =
    groups.length === 1
      ? /^\d*$/.test(whole)
      : /^[1-9]\d{0,2}$/.test(groups[0]!) && groups.slice(1).every((one) => /^\d{3}$/.test(one));
  if (!areGroups || (whole === '' && fraction === '')) return null;
  const value = Number(`${groups.join('') || '0'}.${fraction || '0'}`);
  return written.isNegative && value !== 0 ? -value : value;
}

/** What a number says about the decimal sign of its file. */
export interface SignEvidence {
  /** The decimal sign that it must have; null: it may have either. */
  readonly decimal: DecimalSign | null;
  /** The sign that certainly separates thousands. */
  readonly group: DecimalSign | null;
  /** A sign that may be the one or the other, as in `30.000`. */
  readonly doubtful: DecimalSign | null;
}

const none: SignEvidence = { decimal: null, group: null, doubtful: null };
const otherSign = (sign: DecimalSign): DecimalSign => (sign === '.' ? ',' : '.');

/** Finds out what a number says about the decimal sign. What is no number says nothing. */
export function readSigns(text: string): SignEvidence {
  const digits = readShape(text)?.digits ?? '';
  const signs = [...digits].filter((sign): sign is DecimalSign => sign === '.' || sign === ',');
  const last = signs.at(-1);
  if (last === undefined) return none;
  const other = otherSign(last);
  if (signs.includes(other)) return { decimal: last, group: other, doubtful: null };
  if (signs.length > 1) return { decimal: other, group: last, doubtful: null };
  const [whole = '', fraction = ''] = digits.split(last);
  const mayBeThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && !blank.test(whole);
  return mayBeThousands
    ? { decimal: null, group: null, doubtful: last }
    : { decimal: last, group: null, doubtful: null };
}

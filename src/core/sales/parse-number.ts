/** A decimal number with this many digits is exact in JavaScript. */
const maxLength = 24;

/**
 * Parses a number of a till's file: `1.0`, `$8.00`, `1.234,50 €`, `(3.00)` or `3.00-` for a negative one. The decimal sign is known,
 * never guessed: the other sign may only separate groups of three digits. Null for anything else.
 */
export function parseSaleNumber(text: string, decimalSign: '.' | ','): number | null {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]|\p{Sc}|^[A-Z]{3}|[A-Z]{3}$/gu, '').replace('−', '-');
  if (bare.length > maxLength) return null;
  const isBracketed = /^\(.*\)$/.test(bare);
  const inner = isBracketed ? bare.slice(1, -1) : bare;
  const [, before = '', digits = '', after = ''] = /^(-?)([\d.,]+)(-?)$/.exec(inner) ?? [];
  if (digits === '' || (before !== '' && after !== '')) return null;
  const group = decimalSign === '.' ? ',' : '.';
  const [whole = '', fraction, ...more] = digits.split(decimalSign);
  if (more.length > 0 || fraction?.includes(group)) return null;
  const groups = whole.split(group);
  const areGroups =
    groups.length === 1 ||
    (/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((one) => /^\d{3}$/.test(one)));
  if (!areGroups || (groups.join('') === '' && !fraction)) return null;
  const value = Number(`${groups.join('') || '0'}.${fraction || '0'}`);
  const isNegative = isBracketed || before !== '' || after !== '';
  return isNegative && value !== 0 ? -value : value;
}

/** Digits of a card's number in hexadecimal: the longest tag ids have 20. */
const minDigits = 4;
const maxDigits = 32;

/** The number of an EM4100 card without its customer byte, as most readers and cards print it. */
const printedDigits = 10;

/**
 * Words before the number. Those that readers use need a sign or a blank after them, since `cad` is a number as well; others a
 * sign, and a letter that is no digit.
 */
const label =
  /^(?:(?:(?:card|tag|key) ?)?(?:uid|id|csn|sn|serial|card|tag|key|rfid|hex|dec)(?: ?(?:no\.?|number))? ?(?:[:=#] ?| )|(?=[^:=#]*[g-z])[\p{L}\p{Z}.()[\]-]{1,32}[:=#] ?)/u;

/** Lower case, one form of each digit and dash, no blanks around. */
export const foldCardText = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Dash_Punctuation}/gu, '-')
    .trim()
    .toLowerCase();

/**
 * The canonical value of a card whose text says how it is to be read: bytes in hexadecimal with one kind of separator
 * between them, `0x…`, a word such as `UID:` before the number, or the printed decimal forms with a comma. Null for any
 * other text. The bytes keep their order and number: cards that differ in them are never the same card.
 */
export function readMarkedCard(text: string): string | null {
  const lower = foldCardText(text);
  const bare = lower.replace(label, '');
  const plain = bare === lower ? null : bare;
  const value = readPairs(bare) ?? readPrinted(bare);
  if (value !== null) return value;
  if (plain === null) return null;
  const [, base] = /^(?:(?:card|tag|key) ?)?(hex|dec)\b/.exec(lower) ?? [];
  if (base === 'hex') return toBytes(plain);
  return base === 'dec' ? printedNumber(plain.padStart(printedDigits, '0')) : readPlain(plain);
}

/**
 * The canonical value of the text that a card reader sent for one card: hexadecimal in lower case, the first byte first. Ten
 * decimal digits are the number of 32 bits that most readers send. Null for anything else, and for the number of no card.
 */
export function readCard(text: string): string | null {
  if (isBlankCard(text)) return null;
  const value = readMarkedCard(text) ?? readPlain(foldCardText(text));
  return value === null || isBlankCard(value) ? null : value;
}

/** The bytes of a number in hexadecimal, whose first digit may be left out as a zero; null for other texts. */
export const toBytes = (digits: string): string | null =>
  isHexNumber(digits) ? digits.padStart(digits.length + (digits.length % 2), '0') : null;

/**
 * True for the numbers that a reader reports without a card, in any spelling: empty, all bits off or all bits on, also as the
 * decimal number of 32 bits.
 */
export function isBlankCard(value: string): boolean {
  const digits = foldCardText(value)
    .replace(label, '')
    .replaceAll(/[0\\]x|h$|[^\p{L}\p{Nd}]/gu, '');
  return /^(?:0*|f*)$/.test(printedNumber(digits) ?? digits);
}

/**
 * True for digits with separators, signs or a label that are no number of a card, and for bytes of which a few have a wrong
 * letter, such as `O4:A3:2B:1C`; the value is what could not be read.
 */
export function isBrokenNumber(value: string): boolean {
  const text = foldCardText(value);
  if (/^[0-9a-f]+$/.test(text)) return false;
  const bare = text.replace(label, '');
  return /^(?:0x|[a-f\p{Nd}\p{P}\p{S}\p{Z}])*$/u.test(bare) || hasWrongBytes(bare);
}

/** The hexadecimal form of a number of ten decimal digits; null for other texts and for numbers above 32 bits. */
export function printedNumber(digits: string): string | null {
  if (digits.length !== printedDigits || !/^\d+$/.test(digits)) return null;
  const figure = Number(digits);
  return figure > 0xffffffff ? null : figure.toString(16).padStart(8, '0');
}

/**
 * The forms in which other readers send what may be the same card: the bytes reversed, without the customer byte, and the
 * printed number. Two cards can share one, so a person must decide.
 */
export function similarForms(value: string): readonly string[] {
  const hex = printedNumber(value) ?? value;
  if (!/^(?:[0-9a-f]{2}){3,10}$/.test(hex)) return [];
  const four = hex.slice(-8).padStart(8, '0');
  const start = hex.slice(0, 8).padStart(8, '0');
  const forms = [hex, four, reversed(hex), reversed(four), reversed(start)];
  const printed = [...new Set(forms)]
    .filter((form) => form.length === 8)
    .map((form) => String(Number.parseInt(form, 16)).padStart(printedDigits, '0'));
  return [...new Set([...forms, ...printed])].filter((form) => form !== value && !isBlankCard(form));
}

function readPlain(text: string): string | null {
  return printedNumber(text) ?? toBytes(text);
}

const isHexNumber = (text: string): boolean =>
  text.length >= minDigits && text.length <= maxDigits && /^[0-9a-f]+$/.test(text);

/** Fewest bytes of a list in which readers leave out the zero of small ones; a shorter one may be cut off. */
const minLooseBytes = 4;

/** Bytes with one kind of separator, such as `04:A3:2B:1C` or `4:A3:2B:1C`, or a number after `0x`. */
function readPairs(text: string): string | null {
  if (/^0x[0-9a-f]+$/.test(text)) return toBytes(text.slice(2));
  const [, prefix = '', separator] = /^(0x)?[0-9a-f]{1,2}(, ?|[ :.-])/.exec(text) ?? [];
  if (separator === undefined) return null;
  const bytes = text.split(separator);
  if (!bytes.every((byte) => byte.startsWith(prefix) && /^[0-9a-f]{1,2}$/.test(byte.slice(prefix.length))))
    return null;
  const digits = bytes.map((byte) => byte.slice(prefix.length));
  const isWhole = digits.every(({ length }) => length === 2);
  // Single digits alone may be a number with blanks in it.
  const isLoose = bytes.length >= minLooseBytes && digits.some(({ length }) => length === 2);
  return isWhole || isLoose ? toBytes(digits.map((byte) => byte.padStart(2, '0')).join('')) : null;
}

/** True for a list of bytes of which some, but not most, are none. */
function hasWrongBytes(text: string): boolean {
  const separator = /^[\p{L}\p{Nd}]{1,2}(, ?|[ :.-])/u.exec(text)?.[1];
  const bytes = separator === undefined ? [] : text.split(separator);
  if (bytes.length < minLooseBytes || !bytes.every((byte) => /^[\p{L}\p{Nd}]{1,2}$/u.test(byte)))
    return false;
  return bytes.filter((byte) => !/^[0-9a-f]{1,2}$/.test(byte)).length * 2 <= bytes.length;
}

/**
 * `0004657891,071,04835`: the number, then its lower 24 bits as facility and number; `071,04835` alone has these 24 bits. With
 * both, the first is the card: it has more bits.
 */
function readPrinted(text: string): string | null {
  const parts = /^(?:(\d{10})[, ] ?)?(\d{3}),(\d{5})$/.exec(text);
  if (parts === null) return null;
  const [, whole, facility, card] = parts;
  if (Number(facility) > 0xff || Number(card) > 0xffff) return null;
  if (whole !== undefined) return printedNumber(whole);
  return Number(facility).toString(16).padStart(2, '0') + Number(card).toString(16).padStart(4, '0');
}

const reversed = (hex: string): string => (hex.match(/../g) ?? []).toReversed().join('');

/** `struct input_event` begins with a time of two C longs: 24 bytes on 64-bit systems, 16 on 32-bit ones. */
const longBytes = process.arch === 'arm' ? 4 : 8;
export const eventBytes = 2 * longBytes + 8;
const typeAt = 2 * longBytes;
const codeAt = typeAt + 2;
const valueAt = typeAt + 4;

const synType = 0;
const synDropped = 3;
const keyType = 1;
const pressed = 1;

/** Keys that card readers send, by the kernel's key codes, which do not depend on a keyboard layout. */
const characters: Readonly<Record<number, string>> = {
  2: '1',
  3: '2',
  4: '3',
  5: '4',
  6: '5',
  7: '6',
  8: '7',
  9: '8',
  10: '9',
  11: '0',
  79: '1',
  80: '2',
  81: '3',
  75: '4',
  76: '5',
  77: '6',
  71: '7',
  72: '8',
  73: '9',
  82: '0',
  30: 'a',
  48: 'b',
  46: 'c',
  32: 'd',
  18: 'e',
  33: 'f',
  // `UID: 04:A3`, `0x…` and `…,071,04691`; a colon is a semicolon with shift.
  45: 'x',
  22: 'u',
  23: 'i',
  57: ' ',
  39: ':',
  12: '-',
  51: ',',
};
/** Enter, the keypad's Enter, and Tab end a card number. */
const endKeys: ReadonlySet<number> = new Set([28, 96, 15]);
/** Shift keys precede letters and are ignored. */
const shiftKeys: ReadonlySet<number> = new Set([42, 54]);

/** One key press: a character of a card number, a line end, `?` for any other key; `lost` when the kernel dropped events. */
type KeyPress = { readonly text: string } | 'lost';

/** Parses whole events; an incomplete event at the end is ignored. */
export function readKeys(bytes: Buffer): KeyPress[] {
  const typed: KeyPress[] = [];
  for (let at = 0; at + eventBytes <= bytes.length; at += eventBytes) {
    const type = bytes.readUInt16LE(at + typeAt);
    const code = bytes.readUInt16LE(at + codeAt);
    if (type === synType && code === synDropped) typed.push('lost');
    if (type !== keyType || bytes.readInt32LE(at + valueAt) !== pressed || shiftKeys.has(code)) continue;
    typed.push({ text: endKeys.has(code) ? '\n' : (characters[code] ?? '?') });
  }
  return typed;
}

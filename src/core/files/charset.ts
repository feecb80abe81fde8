/** Character sets of files. */
export const fileCharsets = ['utf-8', 'iso-8859-1', 'windows-1252'] as const;
export type FileCharset = (typeof fileCharsets)[number];

/** What a file is by its first bytes when it is no text in one of the sets: a workbook or archive, UTF-16, or no text at all. */
export type OtherFile = 'workbook' | 'utf16' | 'binary';

/** Bytes among which a zero says that a file is no text. */
const textBytes = 1_024;

const signatures: readonly (readonly [OtherFile, readonly number[]])[] = [
  // A ZIP archive, such as .xlsx, .ods and .numbers.
  ['workbook', [0x50, 0x4b, 0x03, 0x04]],
  // The compound file of .xls.
  ['workbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['utf16', [0xff, 0xfe]],
  ['utf16', [0xfe, 0xff]],
];

/** Finds what a file is that is no CSV in a known character set; null for one that may be. */
export function findOtherFile(head: Uint8Array): OtherFile | null {
  const found = signatures.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  return found?.[0] ?? (head.subarray(0, textBytes).includes(0) ? 'binary' : null);
}

/**
 * Finds the character set of a file from all of its bytes, given in chunks. One whose bytes are all valid UTF-8 is UTF-8: other texts are that
 * by chance only when they are ASCII. One with a few wrong bytes among many valid characters is UTF-8 as well, and its wrong rows are shown.
 */
export function createCharsetFinder() {
  let [valid, invalid] = [0, 0];
  let needed = 0;
  let [lower, upper] = [0x80, 0xbf];
  const begin = (byte: number): void => {
    [lower, upper] = [0x80, 0xbf];
    if (byte >= 0xc2 && byte <= 0xdf) needed = 1;
    else if (byte >= 0xe0 && byte <= 0xef) {
      needed = 2;
      // Neither longer than needed nor halves of surrogate pairs.
      if (byte === 0xe0) lower = 0xa0;
      if (byte === 0xed) upper = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      needed = 3;
      if (byte === 0xf0) lower = 0x90;
      if (byte === 0xf4) upper = 0x8f;
    } else invalid += 1;
  };
  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes) {
        if (needed === 0) {
          if (byte >= 0x80) begin(byte);
          continue;
        }
        if (byte < lower || byte > upper) {
          invalid += 1;
          needed = 0;
          if (byte >= 0x80) begin(byte);
          continue;
        }
        [lower, upper] = [0x80, 0xbf];
        needed -= 1;
        if (needed === 0) valid += 1;
      }
    },
    /** `other` is the set of a file that is not UTF-8. */
    found: (other: FileCharset = 'windows-1252'): FileCharset => {
      const wrong = invalid + (needed > 0 ? 1 : 0);
      if (wrong === 0 || valid > wrong) return 'utf-8';
      return other === 'utf-8' ? 'windows-1252' : other;
    },
  };
}

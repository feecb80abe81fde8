/** The tagged fields of a payload. If a tag occurs twice, the last one counts. */
export type Fields = ReadonlyMap<number, Uint8Array>;

/** Parses a payload of tag, length, value triples. Null when a value extends past the end. */
export function readFields(payload: Uint8Array): Fields | null {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  while (at < payload.length) {
    if (at + 2 > payload.length) return null;
    const end = at + 2 + payload[at + 1]!;
    if (end > payload.length) return null;
    fields.set(payload[at]!, payload.subarray(at + 2, end));
    at = end;
  }
  return fields;
}

/** Encodes fields in the given order; a value has at most 255 bytes. */
export function writeFields(fields: readonly (readonly [tag: number, value: Uint8Array])[]): Uint8Array {
  return Uint8Array.from(fields.flatMap(([tag, value]) => [tag, value.length, ...value]));
}

/** Reads an unsigned integer of exactly `width` bytes, low byte first; null for any other width. */
export function readUnsigned(value: Uint8Array | undefined, width: 1 | 2 | 4): number | null {
  if (value?.length !== width) return null;
  return value.reduceRight((sum, byte) => sum * 256 + byte, 0);
}

/** Reads a signed integer of four bytes, low byte first; null for any other width. */
export function readSigned32(value: Uint8Array | undefined): number | null {
  const plain = readUnsigned(value, 4);
  return plain === null ? null : plain | 0;
}

/** Reads on or off: boards send two bytes, their documentation says one. */
export function readOnOff(value: Uint8Array | undefined): boolean | null {
  if (value?.length !== 1 && value?.length !== 2) return null;
  return value.some((byte) => byte !== 0);
}

/**
 * Reads a name or number as boards send it: without NUL, with a closing NUL or padded with NULs. Null when it
 * contains characters other than letters, digits, dot, underscore and hyphen; may be empty.
 */
export function readText(value: Uint8Array | undefined): string | null {
  if (value === undefined) return null;
  const end = value.indexOf(0);
  const text = String.fromCharCode(...(end < 0 ? value : value.subarray(0, end)));
  return /^[A-Za-z0-9._-]*$/.test(text) ? text : null;
}

export function toTextBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

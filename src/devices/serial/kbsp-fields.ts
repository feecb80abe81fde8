/** The tagged fields of a payload. A tag that comes twice counts as it came last. */
export type Fields = ReadonlyMap<number, Uint8Array>;

/** Takes a payload apart: tag, length, value, and so on to its end. Null when a value runs past the end. */
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

/** Puts fields together, in the order given; a value has at most 255 bytes. */
export function writeFields(fields: readonly (readonly [tag: number, value: Uint8Array])[]): Uint8Array {
  return Uint8Array.from(fields.flatMap(([tag, value]) => [tag, value.length, ...value]));
}

/** A whole number without sign of exactly `width` bytes, low byte first; null for any other width. */
export function readUnsigned(value: Uint8Array | undefined, width: 1 | 2 | 4): number | null {
  if (value?.length !== width) return null;
  return value.reduceRight((sum, byte) => sum * 256 + byte, 0);
}

/** A whole number with sign, four bytes, low byte first. */
export function readSigned32(value: Uint8Array | undefined): number | null {
  const plain = readUnsigned(value, 4);
  return plain === null ? null : plain | 0;
}

/** On or off: boards write two bytes, their documentation says one. */
export function readOnOff(value: Uint8Array | undefined): boolean | null {
  if (value?.length !== 1 && value?.length !== 2) return null;
  return value.some((byte) => byte !== 0);
}

/**
 * A name or number as boards write it: bare, with a closing NUL or padded with them. Null when it holds anything but
 * letters, digits, dot, underscore and hyphen; empty is allowed.
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

import { type Fields, readFields, readOnOff, readSigned32, readText, readUnsigned } from './kbsp-fields.ts';
import type { KbspFrame } from './kbsp-frame.ts';

const dayMs = 86_400_000;

/** A parsed message. Names are the board's own; the controller's name is prefixed elsewhere. */
export type BoardMessage =
  /** Identification: sent after the start, in answer to a ping, and from version 18 on every ten seconds. */
  | {
      readonly kind: 'hello';
      /** Firmware version; boards before version 4 send 3, their protocol's number. */
      readonly firmware: number;
      /** Null when none was set or the firmware does not support it. */
      readonly serialNumber: string | null;
      /** Time since the board's start; null before version 18. */
      readonly uptimeMs: number | null;
    }
  /** Ticks of one meter since the board's start, 32 bits. */
  | { readonly kind: 'meter'; readonly meter: string; readonly total: number }
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  /** An output changed. */
  | { readonly kind: 'output'; readonly output: string; readonly on: boolean }
  /** A token was attached or detached; its bytes are as on the wire. */
  | {
      readonly kind: 'token';
      readonly device: string;
      readonly bytes: Uint8Array;
      readonly attached: boolean;
    };

/** Result of reading a frame. */
type Reading =
  | { readonly kind: 'message'; readonly message: BoardMessage }
  /** Not a message of a board: ignored silently. */
  | { readonly kind: 'unknown' }
  /** A known message with missing or invalid fields. */
  | { readonly kind: 'malformed' };

/** Message numbers of the board. */
export const messageIds = {
  hello: 0x01,
  meterStatus: 0x10,
  temperature: 0x11,
  outputStatus: 0x12,
  onewirePresence: 0x13,
  authToken: 0x14,
} as const;

const readers: ReadonlyMap<number, (fields: Fields) => BoardMessage | null> = new Map([
  [messageIds.hello, readHello],
  [messageIds.meterStatus, readMeter],
  [messageIds.temperature, readTemperature],
  [messageIds.outputStatus, readOutput],
  [messageIds.onewirePresence, readPresence],
  [messageIds.authToken, readToken],
]);

/**
 * Parses a frame. Unknown fields are ignored; a known field of the wrong width makes the message malformed.
 */
export function readMessage({ id, payload }: KbspFrame): Reading {
  const reader = readers.get(id);
  if (reader === undefined) return { kind: 'unknown' };
  const fields = readFields(payload);
  const message = fields === null ? null : reader(fields);
  return message === null ? { kind: 'malformed' } : { kind: 'message', message };
}

function readHello(fields: Fields): BoardMessage | null {
  const firmware = readUnsigned(fields.get(1), 2);
  if (firmware === null) return null;
  // No firmware sends a protocol version, but a known field of the wrong width indicates damage.
  if (fields.has(2) && readUnsigned(fields.get(2), 2) === null) return null;
  const serialNumber = fields.has(3) ? readText(fields.get(3)) : '';
  if (serialNumber === null || (fields.get(3)?.length ?? 0) > 30) return null;
  const millis = fields.has(4) ? readUnsigned(fields.get(4), 4) : 0;
  const days = fields.has(5) ? readUnsigned(fields.get(5), 4) : 0;
  if (millis === null || days === null) return null;
  const uptimeMs = fields.has(4) ? days * dayMs + millis : null;
  return { kind: 'hello', firmware, serialNumber: serialNumber === '' ? null : serialNumber, uptimeMs };
}

function readMeter(fields: Fields): BoardMessage | null {
  const meter = readName(fields);
  const total = readUnsigned(fields.get(2), 4);
  return meter === null || total === null ? null : { kind: 'meter', meter, total };
}

function readTemperature(fields: Fields): BoardMessage | null {
  const sensor = readName(fields);
  const millionths = readSigned32(fields.get(2));
  if (sensor === null || millionths === null) return null;
  return { kind: 'temperature', sensor, tempC: millionths / 1_000_000 };
}

function readOutput(fields: Fields): BoardMessage | null {
  const name = readName(fields);
  const on = readOnOff(fields.get(2));
  if (name === null || on === null) return null;
  // Versions 4 to 6 send `relay-0`, later ones `relay0`.
  return { kind: 'output', output: name.replace(/^relay-(?=\d$)/, 'relay'), on };
}

/** Versions 4 and 5 report iButtons in a separate message. */
function readPresence(fields: Fields): BoardMessage | null {
  const bytes = fields.get(1);
  const attached = readStatus(fields.get(2));
  if (bytes?.length !== 8 || attached === null) return null;
  return { kind: 'token', device: 'onewire', bytes, attached };
}

function readToken(fields: Fields): BoardMessage | null {
  const device = readName(fields);
  const bytes = fields.get(2);
  const attached = readStatus(fields.get(3));
  if (device === null || bytes === undefined || bytes.length === 0 || attached === null) return null;
  return { kind: 'token', device, bytes, attached };
}

function readStatus(value: Uint8Array | undefined): boolean | null {
  const figure = readUnsigned(value, 1);
  return figure === null ? null : figure !== 0;
}

/** Reads the name in tag 1; null when it is empty. */
function readName(fields: Fields): string | null {
  return readText(fields.get(1)) || null;
}

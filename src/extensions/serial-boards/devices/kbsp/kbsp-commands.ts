import { toTextBytes, writeFields } from './kbsp-fields.ts';
import { encodeFrame } from './kbsp-frame.ts';

/** Command numbers of the board. */
const commandIds = {
  ping: 0x81,
  setOutputUntil6: 0x83,
  setOutput: 0x84,
  setSerialNumber: 0x85,
} as const;

/** The board buffers 63 bytes while it plays a sound; further bytes are lost silently. */
export const boardBufferBytes = 63;

/** Longest serial number, without its closing NUL. */
const maxSerialNumber = 28;

/** Requests a hello. From version 12 on the board plays a tune of 250 ms before it answers. */
export function pingCommand(): Uint8Array {
  return encodeFrame({ id: commandIds.ping, payload: new Uint8Array(0) });
}

/** Switches an output, 0 to 5; the board switches it off after ten seconds unless the command is repeated. */
export function setOutputCommand(command: {
  readonly output: number;
  readonly on: boolean;
  readonly firmware: number;
}): Uint8Array {
  const { output, on, firmware } = command;
  const id = firmware < 7 ? commandIds.setOutputUntil6 : commandIds.setOutput;
  const payload = writeFields([
    [1, Uint8Array.of(output)],
    [2, Uint8Array.of(on ? 1 : 0, 0)],
  ]);
  return encodeFrame({ id, payload });
}

/**
 * Sets the board's serial number, which is permanent (version 15 and later). Throws `RangeError` for a number
 * that is empty, longer than 28 characters or has other characters: a board would keep an empty one for ever.
 */
export function setSerialNumberCommand(serialNumber: string): Uint8Array {
  if (!/^[A-Za-z0-9._-]+$/.test(serialNumber) || serialNumber.length > maxSerialNumber)
    throw new RangeError(`A serial number has 1 to ${maxSerialNumber} letters, digits and hyphens.`);
  const payload = writeFields([[1, toTextBytes(`${serialNumber}\0`)]]);
  return encodeFrame({ id: commandIds.setSerialNumber, payload });
}

/** The names of a board's relays, by version. */
export function relayPorts(firmware: number): readonly string[] {
  return Array.from({ length: firmware < 8 ? 2 : 4 }, (_, n) => `relay${n}`);
}

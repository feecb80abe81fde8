import {
  readFields,
  toTextBytes,
  writeFields,
} from '../../../../src/extensions/serial-boards/devices/kbsp/kbsp-fields.ts';
import {
  encodeFrame,
  FrameParser,
} from '../../../../src/extensions/serial-boards/devices/kbsp/kbsp-frame.ts';
import { messageIds } from '../../../../src/extensions/serial-boards/devices/kbsp/kbsp-messages.ts';

const uint = (value: number, width: number) =>
  Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i) % 256);

/** Encodes the messages of a serial board as its firmware does. */
export const boardMessages = {
  /** `uptimeMs` from version 18 on, `serialNumber` from 15 on. */
  hello({
    firmware = 18,
    serialNumber = '',
    uptimeMs = 0,
  }: {
    firmware?: number;
    serialNumber?: string;
    uptimeMs?: number;
  } = {}): Uint8Array {
    const dayMs = 86_400_000;
    const padded = new Uint8Array(30);
    padded.set(toTextBytes(serialNumber));
    return encodeFrame({
      id: messageIds.hello,
      payload: writeFields([
        [1, uint(firmware, 2)],
        ...(firmware >= 15 ? [[3, padded] as const] : []),
        ...(firmware >= 18
          ? ([
              [4, uint(uptimeMs % dayMs, 4)],
              [5, uint(Math.floor(uptimeMs / dayMs), 4)],
            ] as const)
          : []),
      ]),
    });
  },
  meter: (meter: string, total: number) =>
    encodeFrame({
      id: messageIds.meterStatus,
      payload: writeFields([
        [1, toTextBytes(meter)],
        [2, uint(total, 4)],
      ]),
    }),
  temperature: (sensor: string, tempC: number) =>
    encodeFrame({
      id: messageIds.temperature,
      payload: writeFields([
        [1, toTextBytes(sensor)],
        [2, uint((Math.round(tempC * 1e6) + 2 ** 32) % 2 ** 32, 4)],
      ]),
    }),
  output: (output: string, on: boolean) =>
    encodeFrame({
      id: messageIds.outputStatus,
      payload: writeFields([
        [1, toTextBytes(output)],
        [2, uint(on ? 1 : 0, 2)],
      ]),
    }),
  token: (device: string, token: readonly number[], attached: boolean) =>
    encodeFrame({
      id: messageIds.authToken,
      payload: writeFields([
        [1, toTextBytes(device)],
        [2, Uint8Array.from(token)],
        [3, uint(attached ? 1 : 0, 1)],
      ]),
    }),
};

/** A command to a serial board. */
export type BoardCommand =
  | { readonly kind: 'ping' }
  | { readonly kind: 'set'; readonly output: number; readonly on: boolean }
  | { readonly kind: 'other'; readonly id: number };

/** Creates a parser of the commands that a board receives. */
export function createCommandParser(): (bytes: Uint8Array) => BoardCommand[] {
  const parser = new FrameParser();
  return (bytes) =>
    parser.push(bytes).map(({ id, payload }): BoardCommand => {
      if (id === 0x81) return { kind: 'ping' };
      const fields = readFields(payload);
      const output = fields?.get(1)?.[0];
      if ((id !== 0x84 && id !== 0x83) || output === undefined) return { kind: 'other', id };
      return { kind: 'set', output, on: fields?.get(2)?.[0] === 1 };
    });
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  pingCommand,
  setOutputCommand,
  setSerialNumberCommand,
} from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-commands.ts';
import {
  toTextBytes,
  writeFields,
} from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-fields.ts';
import { FrameParser } from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-frame.ts';
import {
  type BoardMessage,
  messageIds,
  readMessage,
} from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-messages.ts';
import { type FrameName, frameOf } from '../frames.ts';

const read = (bytes: Uint8Array) => readMessage(new FrameParser().push(bytes)[0]!);

const button = Uint8Array.of(0x01, 0x56, 0x34, 0x12, 0, 0, 0, 0xf1);
const expectedMessages: Partial<Record<FrameName, BoardMessage>> = {
  helloWithSerial: { kind: 'hello', firmware: 18, serialNumber: 'KB-0000-0000-deadbeef', uptimeMs: 10_001 },
  helloAfterReset: { kind: 'hello', firmware: 18, serialNumber: null, uptimeMs: 0 },
  helloOf14: { kind: 'hello', firmware: 14, serialNumber: null, uptimeMs: null },
  flow0At1234: { kind: 'meter', meter: 'flow0', total: 1234 },
  flow1At2573: { kind: 'meter', meter: 'flow1', total: 2573 },
  flow1WithNul: { kind: 'meter', meter: 'flow1', total: 4 },
  flow0BeforeWrap: { kind: 'meter', meter: 'flow0', total: 4_294_967_295 },
  flow0AfterWrap: { kind: 'meter', meter: 'flow0', total: 2 },
  cellar: { kind: 'temperature', sensor: 'thermo-f800080012345610', tempC: 4.5 },
  frost: { kind: 'temperature', sensor: 'thermo-6c0316881e64ff28', tempC: -1.25 },
  relay0On: { kind: 'output', output: 'relay0', on: true },
  relay0Off: { kind: 'output', output: 'relay0', on: false },
  presence: { kind: 'token', device: 'onewire', bytes: button, attached: true },
  buttonIn: { kind: 'token', device: 'onewire', bytes: button, attached: true },
  buttonOut: { kind: 'token', device: 'onewire', bytes: button, attached: false },
  cardIn: {
    kind: 'token',
    device: 'core.rfid',
    bytes: Uint8Array.of(0xcc, 0xbb, 0xaa, 0x15, 0x04),
    attached: true,
  },
};

test.each(Object.entries(expectedMessages) as [FrameName, BoardMessage][])(
  '%s is parsed as %j',
  (name, message) => {
    expect(read(frameOf(name))).toEqual({ kind: 'message', message });
  },
);

test.each(['ping', 'relay0SwitchOn', 'setSerialNumber'] as const)(
  '%s is not a message of a board',
  (name) => {
    expect(read(frameOf(name))).toEqual({ kind: 'unknown' });
  },
);

describe('required fields', () => {
  const flow0 = [1, toTextBytes('flow0')] as const;
  const meter = (...fields: (readonly [number, Uint8Array])[]) =>
    readMessage({ id: messageIds.meterStatus, payload: writeFields(fields) });
  const total = [2, Uint8Array.of(7, 0, 0, 0)] as const;

  test('tags may be in any order, and unknown ones are ignored', () => {
    const message = { kind: 'meter', meter: 'flow0', total: 7 };
    expect(meter(total, [9, toTextBytes('more')], flow0)).toEqual({ kind: 'message', message });
  });

  test.each([
    ['no name', [total]],
    ['no reading', [flow0]],
    ['an empty name', [[1, toTextBytes('\0\0')], total]],
    ['a name with a blank', [[1, toTextBytes('flow 0')], total]],
    ['a reading of three bytes', [flow0, [2, Uint8Array.of(7, 0, 0)]]],
    ['a reading of eight bytes', [flow0, [2, new Uint8Array(8)]]],
  ] as [string, (readonly [number, Uint8Array])[]][])('a meter report with %s is malformed', (_, fields) => {
    expect(meter(...fields)).toEqual({ kind: 'malformed' });
  });

  test('a message with a truncated tag is malformed', () => {
    expect(readMessage({ id: messageIds.meterStatus, payload: Uint8Array.of(1) })).toEqual({
      kind: 'malformed',
    });
  });

  test('an output state has one or two bytes, not three', () => {
    const output = (...value: number[]) =>
      readMessage({
        id: messageIds.outputStatus,
        payload: writeFields([
          [1, toTextBytes('relay-1')],
          [2, Uint8Array.from(value)],
        ]),
      });
    const on = { kind: 'message', message: { kind: 'output', output: 'relay1', on: true } };
    expect(output(1)).toEqual(on);
    expect(output(0, 1)).toEqual(on);
    expect(output(1, 0, 0)).toEqual({ kind: 'malformed' });
  });

  test('any payload gives a result and never throws', () => {
    fc.assert(
      fc.property(fc.nat(0x90), fc.uint8Array({ maxLength: 112 }), (id, payload) => {
        expect(['message', 'unknown', 'malformed']).toContain(readMessage({ id, payload }).kind);
      }),
    );
  });
});

describe('commands', () => {
  test('are encoded to the expected bytes', () => {
    expect(pingCommand()).toEqual(frameOf('ping'));
    expect(setOutputCommand({ output: 0, on: true, firmware: 18 })).toEqual(frameOf('relay0SwitchOn'));
    expect(setOutputCommand({ output: 0, on: false, firmware: 7 })).toEqual(frameOf('relay0SwitchOff'));
    expect(setSerialNumberCommand('KB-0000-0000-deadbeef')).toEqual(frameOf('setSerialNumber'));
  });

  test('boards before version 7 get another command number', () => {
    const [frame] = new FrameParser().push(setOutputCommand({ output: 1, on: true, firmware: 6 }));
    expect(frame!.id).toBe(0x83);
  });

  test.each(['', 'x'.repeat(29), 'KB 1', 'KB\0'])('the serial number %j is rejected', (number) => {
    expect(() => setSerialNumberCommand(number)).toThrow(RangeError);
  });
});

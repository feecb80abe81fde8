import { expect, test } from 'vitest';
import { joinThermo } from '../../../src/daemon/temperatures/join-thermo.ts';
import type { ThermoBus } from '../../../src/devices/device-interfaces.ts';

const sensorReading = { kind: 'temperature', sensor: '28-0000', tempC: 8 } as const;
const boardReading = { kind: 'temperature', sensor: 'kegboard.thermo-0', tempC: 5 } as const;
const broken: ThermoBus = {
  read: async () => {
    throw new Error('no bus');
  },
};

test('sensors of several buses are read in one round', async () => {
  const both = joinThermo([{ read: async () => [sensorReading] }, { read: async () => [boardReading] }]);
  expect(await both.read()).toEqual([sensorReading, boardReading]);
});

test('a bus that cannot be read hides no other; reading fails only when every bus fails', async () => {
  expect(await joinThermo([broken, { read: async () => [boardReading] }]).read()).toEqual([boardReading]);
  await expect(joinThermo([broken]).read()).rejects.toThrow('no bus');
});

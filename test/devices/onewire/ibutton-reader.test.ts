import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IButtonReader } from '../../../src/devices/onewire/ibutton-reader.ts';
import { iButtonToken } from '../../../src/devices/onewire/ibutton-token.ts';
import type { ReaderStep } from '../../../src/devices/readers/token-reader.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tapster-buttons-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Lists a bus as the kernel does. */
function bus(name: string, ...slaves: string[]): void {
  mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(
    join(directory, name, 'w1_master_slaves'),
    slaves.length === 0 ? 'not found.\n' : slaves.map((slave) => `${slave}\n`).join(''),
  );
}

/** Polls one after the other, each to its end. */
function createPoller(reader: IButtonReader) {
  let now = 0;
  return async (polls = 1): Promise<ReaderStep[]> => {
    const steps: ReaderStep[] = [];
    for (let i = 0; i < polls; i++) {
      now += 500;
      steps.push(...reader.poll(now));
      await reader.close();
      steps.push(...reader.poll(now + 50));
    }
    return steps;
  };
}

const annasButton = '01-000000123456';
const annasToken = '0500000012345601';

test('an iButton has the same token here as on a Kegboard: 64 bits, checksum first', () => {
  expect(iButtonToken(annasButton)).toBe(annasToken);
  expect(iButtonToken('01-00000001B81C')).toMatch(/^[0-9a-f]{2}00000001b81c01$/);
  for (const other of ['28-00000a1b2c3d', '01-1234', 'w1_bus_master1', 'not', 'found.', ''])
    expect(iButtonToken(other)).toBeNull();
});

test('an iButton is presented when it appears, and removed after three polls without it', async () => {
  bus('w1_bus_master1', '28-00000a1b2c3d');
  const poll = createPoller(new IButtonReader({ directory, isCaptive: true }));
  expect(await poll()).toEqual([]);
  bus('w1_bus_master1', '28-00000a1b2c3d', annasButton);
  expect(await poll()).toEqual([{ kind: 'presented', value: annasToken }]);
  expect(await poll(3)).toEqual([]);
  bus('w1_bus_master1');
  expect(await poll(2)).toEqual([]);
  expect(await poll()).toEqual([{ kind: 'removed', value: annasToken }]);
  expect(await poll(3)).toEqual([]);
});

test('an iButton that loses contact for two polls is not removed', async () => {
  bus('w1_bus_master1', annasButton);
  const poll = createPoller(new IButtonReader({ directory, isCaptive: true }));
  await poll();
  bus('w1_bus_master1');
  expect(await poll(2)).toEqual([]);
  bus('w1_bus_master1', annasButton);
  expect(await poll(5)).toEqual([]);
});

test('without `isCaptive` removal is not reported', async () => {
  bus('w1_bus_master1', annasButton);
  const poll = createPoller(new IButtonReader({ directory, isCaptive: false }));
  expect(await poll()).toHaveLength(1);
  bus('w1_bus_master1');
  expect(await poll(5)).toEqual([]);
  bus('w1_bus_master1', annasButton);
  expect(await poll()).toEqual([{ kind: 'presented', value: annasToken }]);
});

test('readers on separate buses do not report each other’s iButtons', async () => {
  bus('w1_bus_master1');
  bus('w1_bus_master2', annasButton);
  const first = new IButtonReader({ directory, master: 'w1_bus_master1', isCaptive: true });
  const second = new IButtonReader({ directory, master: 'w1_bus_master2', isCaptive: true });
  expect([first.name, second.name]).toEqual(['w1_bus_master1', 'w1_bus_master2']);
  expect(await createPoller(first)(2)).toEqual([]);
  expect(await createPoller(second)(2)).toHaveLength(1);
});

test('a missing bus is a problem, and its iButtons are removed', async () => {
  bus('w1_bus_master1', annasButton);
  const reader = new IButtonReader({ directory, isCaptive: true });
  const poll = createPoller(reader);
  await poll();
  expect(reader.problem).toBeNull();
  rmSync(directory, { recursive: true });
  expect(await poll(3)).toEqual([{ kind: 'removed', value: annasToken }]);
  expect(reader.problem?.message).toContain('no 1-Wire bus');
});

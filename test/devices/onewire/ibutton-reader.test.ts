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

/** One look after the other, each to its end. */
function looker(reader: IButtonReader) {
  let now = 0;
  return async (looks = 1): Promise<ReaderStep[]> => {
    const steps: ReaderStep[] = [];
    for (let i = 0; i < looks; i++) {
      now += 500;
      steps.push(...reader.poll(now));
      await reader.close();
      steps.push(...reader.poll(now + 50));
    }
    return steps;
  };
}

const anna = '01-000000123456';
const annasToken = '0500000012345601';

test('an iButton is the same token here as on a Kegboard: 64 bits, checksum first', () => {
  expect(iButtonToken(anna)).toBe(annasToken);
  expect(iButtonToken('01-00000001B81C')).toMatch(/^[0-9a-f]{2}00000001b81c01$/);
  for (const other of ['28-00000a1b2c3d', '01-1234', 'w1_bus_master1', 'not', 'found.', ''])
    expect(iButtonToken(other)).toBeNull();
});

test('an iButton is presented when it comes, and gone after three looks without it', async () => {
  bus('w1_bus_master1', '28-00000a1b2c3d');
  const look = looker(new IButtonReader({ directory, isCaptive: true }));
  expect(await look()).toEqual([]);
  bus('w1_bus_master1', '28-00000a1b2c3d', anna);
  expect(await look()).toEqual([{ kind: 'presented', value: annasToken }]);
  expect(await look(3)).toEqual([]);
  bus('w1_bus_master1');
  expect(await look(2)).toEqual([]);
  expect(await look()).toEqual([{ kind: 'removed', value: annasToken }]);
  expect(await look(3)).toEqual([]);
});

test('a button that slips in its holder for a moment has not left', async () => {
  bus('w1_bus_master1', anna);
  const look = looker(new IButtonReader({ directory, isCaptive: true }));
  await look();
  bus('w1_bus_master1');
  expect(await look(2)).toEqual([]);
  bus('w1_bus_master1', anna);
  expect(await look(5)).toEqual([]);
});

test('where buttons are only touched to the reader, leaving means nothing', async () => {
  bus('w1_bus_master1', anna);
  const look = looker(new IButtonReader({ directory, isCaptive: false }));
  expect(await look()).toHaveLength(1);
  bus('w1_bus_master1');
  expect(await look(5)).toEqual([]);
  bus('w1_bus_master1', anna);
  expect(await look()).toEqual([{ kind: 'presented', value: annasToken }]);
});

test('two readers, each on its own bus, do not see each other’s buttons', async () => {
  bus('w1_bus_master1');
  bus('w1_bus_master2', anna);
  const first = new IButtonReader({ directory, master: 'w1_bus_master1', isCaptive: true });
  const second = new IButtonReader({ directory, master: 'w1_bus_master2', isCaptive: true });
  expect([first.name, second.name]).toEqual(['w1_bus_master1', 'w1_bus_master2']);
  expect(await looker(first)(2)).toEqual([]);
  expect(await looker(second)(2)).toHaveLength(1);
});

test('a bus that is not there is said so, and its buttons are gone', async () => {
  bus('w1_bus_master1', anna);
  const reader = new IButtonReader({ directory, isCaptive: true });
  const look = looker(reader);
  await look();
  expect(reader.problem).toBeNull();
  rmSync(directory, { recursive: true });
  expect(await look(3)).toEqual([{ kind: 'removed', value: annasToken }]);
  expect(reader.problem).toContain('no 1-Wire bus');
});

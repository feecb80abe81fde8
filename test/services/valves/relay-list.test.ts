import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { readRelayFile } from '../../../src/devices/relays-off/relay-file.ts';
import { createRelayList } from '../../../src/services/valves/relay-list.ts';
import { createMachineIdentity } from '../../../src/system/machine-identity.ts';

const identity = createMachineIdentity('1'.repeat(32));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-list-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const toggles = [
  { port: 'relay0', pin: 24, active_low: false },
  { port: 'relay1', pin: 25, active_low: true },
];
const flow = { port: 'flow0', pin: 17, min_gap_ms: 1.2, bias: 'pull-up', edge: 'falling' } as const;

function createList(
  gpio: { driver: 'auto' | 'simulated'; chip?: string } = { driver: 'auto' },
  own = toggles,
) {
  const problems: (string | null)[] = [];
  const list = createRelayList({
    config: {
      controller: { name: 'pi' },
      database: join(folder, 'data', 'tapster.db'),
      gpio,
      meters: [flow],
      toggles: own,
    } as Parameters<typeof createRelayList>[0]['config'],
    stateDirectory: undefined,
    identity,
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  return { list, problems };
}

const stored = () => readRelayFile(join(folder, 'data', 'relays.json'), identity).relays;

test('every configured relay is stored with chip, pin and level', () => {
  createList({ driver: 'auto', chip: 'pinctrl-rp1' }).list.store();
  expect(stored()).toEqual([
    { name: 'pi.relay0', chip: 'pinctrl-rp1', pin: 24, activeLow: false },
    { name: 'pi.relay1', chip: 'pinctrl-rp1', pin: 25, activeLow: true },
  ]);
});

test('a relay that is no longer configured, or only simulated, is removed from the list', () => {
  createList().list.store();
  createList({ driver: 'auto' }, toggles.slice(0, 1)).list.store();
  expect(stored().map(({ name }) => name)).toEqual(['pi.relay0']);
  createList({ driver: 'simulated' }).list.store();
  expect(stored()).toEqual([]);
});

test('a relay whose pin belongs to a meter is never opened and not stored', () => {
  createList({ driver: 'auto' }, [{ ...toggles[0]!, pin: flow.pin }, toggles[1]!]).list.store();
  expect(stored().map(({ name }) => name)).toEqual(['pi.relay1']);
});

test('a disk that refuses the list is a problem until it accepts it', () => {
  const { list, problems } = createList();
  mkdirSync(join(folder, 'data', 'relays.json.new'), { recursive: true });
  list.store();
  expect(problems).toEqual([expect.stringContaining('cannot be written')]);
  rmSync(join(folder, 'data', 'relays.json.new'), { recursive: true });
  list.store();
  list.store();
  expect(problems.slice(1)).toEqual([null]);
  expect(stored()).toHaveLength(2);
});

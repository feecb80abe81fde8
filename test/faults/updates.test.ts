import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pulse } from './fault-bar.ts';
import { countDrinks, install, pourGlass, removeMachine } from './updated-machine.ts';

const addsColumn =
  'ALTER TABLE kegs ADD COLUMN colour TEXT; CREATE TABLE glasses (id INTEGER PRIMARY KEY) STRICT;';

afterEach(removeMachine);

test('a newer version with a newer schema replaces the running one, and the way back keeps the drinks poured since', async () => {
  const one = await install();
  await pourGlass(one);
  await one.update(one.makePayload('2.0.0', { schemaStep: addsColumn }));
  expect(one.state.last).toMatchObject({ outcome: 'done', to: '2.0.0', backup: expect.any(String) });
  // Made and read back before the switch.
  expect(existsSync(one.state.last?.backup ?? '')).toBe(true);
  expect(await one.answer()).toMatchObject({ status: 'ok', version: '2.0.0' });
  await pourGlass(one);

  expect((await one.updater('rollback')).output).toContain('Going back to Tapster 1.0.0');
  await one.updater('resume');
  expect(one.state.last).toMatchObject({ outcome: 'done', to: '1.0.0', kind: 'rollback' });
  expect(await one.answer()).toMatchObject({ status: 'ok', version: '1.0.0' });
  expect(await countDrinks(one)).toBe(2);
  await pourGlass(one);
});

test('a version that would leave the running one no way back is not switched to', async () => {
  const one = await install();
  await pourGlass(one);
  await one.update(one.makePayload('2.0.0', { schemaStep: addsColumn, compatibleFrom: 2 }));
  expect(one.state.last).toMatchObject({
    outcome: 'refused',
    reason: 'check_failed',
    backup: null,
    detail: expect.stringContaining('There would be no way back'),
  });
  expect(await one.answer()).toMatchObject({ status: 'ok', version: '1.0.0' });
  expect(await countDrinks(one)).toBe(1);
  await pourGlass(one);
});

test.each([
  ['crashes at its start', 'process.exit(1);', 'restarts'],
  ['hangs', 'await new Promise(() => setInterval(() => {}, 1_000_000));', 'no_answer'],
  ['answers well and dies', 'setTimeout(() => process.exit(1), 900);', 'restarts'],
])('a version that %s is taken back, with the drinks of its trial', async (_name, atStart, reason) => {
  const one = await install();
  await pourGlass(one);
  await one.update(one.makePayload('2.0.0', { atStart, schemaStep: addsColumn }));
  expect(one.state.last).toMatchObject({ outcome: 'reverted', reason });
  expect(await one.answer()).toMatchObject({ status: 'ok', version: '1.0.0' });
  expect(await countDrinks(one)).toBe(1);
});

test('drinks poured during a trial that fails are there afterwards', async () => {
  const one = await install();
  const payload = one.makePayload('2.0.0', {
    atStart:
      "const fs = await import('node:fs'); setInterval(() => fs.existsSync('end') && process.exit(1), 50);",
    schemaStep: addsColumn,
  });
  await one.updater('installed', { payload });
  const updating = one.updater('resume', { more: ['--trial-ms', '60000'] });
  await expect.poll(async () => (await one.answer()).version, { interval: 20 }).toBe('2.0.0');
  await pulse(one.url, 'pi.flow0', 300, 500);
  await expect.poll(() => countDrinks(one)).toBe(1);
  writeFileSync(join(one.bar.path, 'end'), '');
  await updating;
  expect(one.state.last?.outcome).toBe('reverted');
  expect(await one.answer()).toMatchObject({ version: '1.0.0' });
  await expect.poll(() => countDrinks(one)).toBe(1);
});

test('a running pour delays the switch, and one that does not end is stored at the stop', async () => {
  const one = await install();
  // Longer than the updater waits.
  await pulse(one.url, 'pi.flow0', 600, 60);
  await expect.poll(async () => (await one.answer()).pours).toBe(1);
  await one.update(one.makePayload('2.0.0'));
  expect(one.state.last?.outcome).toBe('done');
  await expect.poll(() => countDrinks(one)).toBe(1);
});

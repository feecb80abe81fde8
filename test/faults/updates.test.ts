import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PackageServer } from '../kit/package-server.ts';
import { UpdateMachine } from '../kit/update-machine.ts';
import { pulse, request } from './fault-bar.ts';
import { readNumber } from './measurements.ts';

/** Every how many changes of the updater the power is cut; `TAPSTER_FAULT_CUT_EVERY=1` cuts at each. */
const cutEvery = readNumber('TAPSTER_FAULT_CUT_EVERY', 8);

const addsColumn =
  'ALTER TABLE kegs ADD COLUMN colour TEXT; CREATE TABLE glasses (id INTEGER PRIMARY KEY) STRICT;';

let machine: UpdateMachine | undefined;
let server: PackageServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  await machine?.remove();
  machine = undefined;
});

/** A machine on which 1.0.0 runs. */
async function install(settings: object = {}): Promise<UpdateMachine> {
  machine = await UpdateMachine.create(settings);
  await machine.updater('installed', { payload: machine.makePayload('1.0.0') });
  await machine.start();
  return machine;
}

async function countDrinks({ url, bar }: UpdateMachine): Promise<number> {
  const { body } = await request(url, bar, '/api/drinks');
  return (body.result as unknown as { paging: { total: number } }).paging.total;
}

/** Pours a glass and waits until it is stored. */
async function pourGlass(one: UpdateMachine): Promise<void> {
  const before = await countDrinks(one);
  await pulse(one.url, 'pi.flow0', 300, 500);
  await expect.poll(() => countDrinks(one)).toBe(before + 1);
}

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
    ...{ outcome: 'refused', reason: 'check_failed', backup: null },
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

test('a power cut at any change of the updater ends with a version that runs', {
  timeout: 600_000,
}, async () => {
  const one = await install();
  await pourGlass(one);
  const payload = one.makePayload('2.0.0');
  await one.updater('installed', { payload });
  const changes = Number(/changes: (\d+)/.exec((await one.updater('resume')).output)?.[1]);
  expect(one.current).toBe('2.0.0');
  expect(changes).toBeGreaterThan(10);

  for (let cutAt = 0; cutAt < changes; cutAt += cutEvery) {
    // Alternately there and back, so that each run starts from what the one before left.
    const [from, to] = [one.current, one.current === '1.0.0' ? '2.0.0' : '1.0.0'];
    await one.updater('rollback');
    const { signal } = await one.updater('resume', { cutAt: String(cutAt) });
    expect(signal).toBe('SIGKILL');
    await one.cutPower();
    const { code, output } = await one.updater('resume');
    expect({ cutAt, code, output }).toMatchObject({ code: 0 });
    expect([from, to]).toContain(one.current);
    expect(one.state).toMatchObject({ update: null, last: { outcome: 'done', to } });
    expect(await one.answer()).toMatchObject({ status: 'ok', version: one.current });
    expect(await countDrinks(one)).toBe(1);
  }
});

test('a signed package is installed through power cuts at any change, and one that was changed is not', {
  timeout: 600_000,
}, async () => {
  server = await PackageServer.start();
  const { manifestUrl, publicKey } = server.source;
  const one = await install({ updates: { manifest_url: manifestUrl, public_key: publicKey } });
  await pourGlass(one);

  const forged = { ...server.request, manifest: Buffer.from(`${server.manifest} `).toString('base64') };
  one.requestInstall(forged, one.makePayload('1.5.0'));
  await one.updater('resume');
  expect(one.state).toMatchObject({ update: null, install: { phase: 'failed', reason: 'bad_signature' } });
  expect(await one.answer()).toMatchObject({ version: '1.0.0' });

  one.requestInstall(server.request, one.makePayload('2.0.0'));
  const { output } = await one.updater('resume');
  expect(one.state).toMatchObject({ install: null, last: { outcome: 'done', to: '2.0.0' } });
  const changes = Number(/changes: (\d+)/.exec(output)?.[1]);
  expect(changes).toBeGreaterThan(15);

  // The state with the accepted request is the second change.
  for (let cutAt = 2, number = 3; cutAt < changes; cutAt += cutEvery, number++) {
    const version = `${number}.0.0`;
    server.change = { version, serial: 10 + number };
    one.requestInstall(server.request, one.makePayload(version));
    const { signal } = await one.updater('resume', { cutAt: String(cutAt) });
    expect(signal).toBe('SIGKILL');
    await one.cutPower();
    const { code, output: rest } = await one.updater('resume');
    expect({ cutAt, code, rest }).toMatchObject({ code: 0 });
    expect(one.state).toMatchObject({ update: null, install: null, last: { outcome: 'done', to: version } });
    expect(await one.answer()).toMatchObject({ status: 'ok', version });
    expect(existsSync(join(one.releases, 'download'))).toBe(false);
    expect(await countDrinks(one)).toBe(1);
  }
});

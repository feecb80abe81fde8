import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PackageServer } from '../kit/package-server.ts';
import { readNumber } from './measurements.ts';
import { countDrinks, install, pourGlass, removeMachine } from './updated-machine.ts';

/** Every how many changes of the updater the power is cut; `TAPSTER_FAULT_CUT_EVERY=1` cuts at each. */
const cutEvery = readNumber('TAPSTER_FAULT_CUT_EVERY', 8);

let server: PackageServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  await removeMachine();
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

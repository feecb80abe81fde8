import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startUpdateCheck } from '../../../src/services/updates/start-update-check.ts';
import { createUpdates } from '../../../src/services/updates/updates.ts';
import { PackageServer } from '../../kit/package-server.ts';

let folder: string;
let server: PackageServer;
let pours: Map<string, unknown>;
/** What the timer of the check calls. */
let everyMinute: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-check-'));
  mkdirSync(join(folder, 'releases'));
  server = await PackageServer.start();
  pours = new Map();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function start(updates: object) {
  const site = {
    updatesCheck: true,
    updatesInstall: 'ask',
    updatesHour: 4,
    timeZone: 'UTC',
    locale: 'de-DE',
  };
  return startUpdateCheck(
    {
      config: { updates },
      clock: { now: () => ({ monoMs: 0, wallMs: Date.UTC(2026, 10, 24, 4), synced: true, bootId: 'boot' }) },
      database: { engine: () => ({ users: { site: () => site } }) },
      counting: { runningPours: () => pours },
      valves: { open: () => [] },
      scheduler: {
        every(_ms: number, run: () => void) {
          everyMinute = run;
          return () => {};
        },
      },
      log: { info() {}, warn() {}, error() {} },
    } as never,
    folder,
    join(folder, 'releases'),
  );
}

test('without an address in the configuration there is no check', () => {
  expect(start({ manifest_url: '', public_key: '' })).toBeNull();
});

test('a version that a person plans is asked for in the quiet hour, by a file for the updater alone', async () => {
  const { manifestUrl, publicKey } = server.source;
  const check = start({ manifest_url: manifestUrl, public_key: publicKey })!;
  const updates = createUpdates({
    stateDirectory: folder,
    check,
    folder: join(folder, 'releases'),
    running: '0.1.0',
  });
  await updates.checkNow();
  expect(updates.view().check.available).toMatchObject({
    version: '2.0.0',
    sizeBytes: server.package.length,
  });
  updates.install('quiet_hour');
  const path = join(folder, 'update-request.json');
  pours.set('pi.flow0', {});
  everyMinute();
  expect(existsSync(path)).toBe(false);
  pours.clear();
  everyMinute();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(server.request);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(updates.view().underWay).toMatchObject({ to: '2.0.0', stage: 'requested' });
  await check.close();
});

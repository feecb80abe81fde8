import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  builtProgram,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../kit/daemon.ts';

// Starts real processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const run = promisify(execFile);
const guide = readFileSync(fileURLToPath(new URL('../../docs/api.md', import.meta.url)), 'utf8');
/** The commands of each section, by the section's title. */
const commands = new Map(
  guide
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')).replace(/^\d+\. /, ''),
      [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!).join(''),
    ]),
);

let bar: BarFolder;
let daemon: RunningDaemon;

beforeAll(async () => {
  bar = makeBar({
    ...quickBar,
    meters: quickBar.meters.map((meter) => ({ ...meter, ticks_per_ml: 5.4 })),
  });
  daemon = await startDaemon(bar);
});

afterAll(async () => {
  await daemon?.kill();
  bar?.remove();
});

/**
 * Types the commands of sections into one shell, one section after the other, and returns what the last prints. The address
 * is that of the test's daemon, and a stream is read for five seconds.
 */
async function type(...sections: readonly string[]): Promise<string> {
  const script = sections.map((section) => commands.get(section)).join('echo "----"\n');
  const { stdout } = await run(
    'bash',
    [
      '-euo',
      'pipefail',
      '-c',
      `npx() { shift; ${process.execPath} ${builtProgram} "$@" --config ${bar.configFile}; }
       curl() { command curl --max-time 5 "$@" || [ $? -eq 28 ]; }
       ${script.replaceAll('http://localhost:8080', daemon.url)}`,
    ],
    { cwd: bar.path, env: { ...process.env, TAPSTER_PORT: new URL(daemon.url).port } },
  );
  return stdout.split('----\n').at(-1)!;
}

test('the commands of the API guide work one after the other as they are printed', async () => {
  expect(guide).toContain('npm ci && npm start');

  const read = await type('A key', 'Read');
  expect(read).toContain('"taps":[{"tap":{"id":"1"');
  expect(read).toContain('"paging":{"total":0,"limit":2');

  commands.set('A key again', commands.get('A key')!.replace(/^echo .*\n/m, ''));
  const written = JSON.parse(await type('A key again', 'Write')) as { result: { drink: object } };
  expect(written.result.drink).toMatchObject({ volume_ml: 330, user_id: 'anna', tap_id: '1' });

  const refused = JSON.parse(await type('A key again', 'When it is refused')) as { error: object };
  const printed = /```json\n(\{"error".*?)```/s.exec(guide)![1]!;
  expect(refused.error).toMatchObject(JSON.parse(printed).error);

  const live = await type('A key again', 'Live');
  expect(live).toContain('event: snapshot\ndata: {"title":');
});

import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

/** Long, because a busy machine starts several programs slowly. */
const timeoutMs = 120_000;

let bar: BarFolder;
let daemon: RunningDaemon | null = null;
beforeEach(async () => {
  bar = makeBar();
  daemon = await startDaemon(bar);
});
afterEach(async () => {
  await daemon?.kill();
  bar.remove();
});

/** A settings file that names the same database by another path. */
function configFor(database: string): string {
  const configFile = join(bar.path, 'other.json');
  writeFileSync(configFile, JSON.stringify({ ...quickBar, database, onewire: { directory: 'w1' } }));
  return configFile;
}

function otherPaths(): readonly string[] {
  symlinkSync(bar.path, join(bar.path, 'linked'));
  symlinkSync(bar.database, join(bar.path, 'linked.db'));
  return [join(bar.path, 'linked', 'tapster.db'), join(bar.path, 'linked.db')];
}

test(
  'a second daemon is refused by every path to the database',
  async () => {
    for (const path of otherPaths()) {
      const { code, err } = await runCommand(['run', '--config', configFor(path)]);
      expect(code, path).toBe(69);
      expect(err).toContain('Another Tapster already runs on the database');
    }
  },
  timeoutMs,
);

test(
  'a restore by another path is refused while the daemon runs, and restores the file afterwards',
  async () => {
    const archive = (await runCommand(['backup', '--config', bar.configFile])).out.trim();
    const paths = otherPaths();
    for (const path of paths) {
      const { code, err } = await runCommand([
        'restore',
        archive,
        '--keep-settings',
        '--config',
        configFor(path),
      ]);
      expect(code, path).toBe(69);
      expect(err).toContain('The daemon runs on this database');
    }
    await daemon!.stop();
    daemon = null;
    for (const path of paths) {
      const { code, err } = await runCommand([
        'restore',
        archive,
        '--keep-settings',
        '--config',
        configFor(path),
      ]);
      expect(code, err).toBe(0);
    }
    // A link stays a link: what it names was replaced, and set aside beside it.
    expect(readdirSync(bar.path).filter((name) => name.startsWith('set-aside-'))).toHaveLength(2);
    daemon = await startDaemon(bar);
  },
  timeoutMs,
);

test(
  'after kill -9 the next daemon starts',
  async () => {
    await daemon!.kill();
    daemon = await startDaemon(bar);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
  },
  timeoutMs,
);

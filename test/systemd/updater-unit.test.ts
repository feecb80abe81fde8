import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

const unit = readFileSync(join(productDirectory, 'systemd', 'tapster-updater.service'), 'utf8');

/** Runs the unit's command in a tree with a payload and a release, both of which print their arguments. */
function startUpdater(dpkgQuery: string): string {
  const root = mkdtempSync(join(tmpdir(), 'tapster-updater-unit-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const put = (path: string, script: string): void => {
    const file = join(root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };
  put('usr/lib/tapster/bin/node', 'echo payload "$@"');
  put('var/lib/tapster-releases/current/bin/node', 'echo release "$@"');
  put('tools/dpkg-query', dpkgQuery);
  // systemd itself makes one dollar sign of two.
  const script = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit)![1]!.replaceAll('$$', '$');
  const { stdout } = spawnSync(
    '/bin/sh',
    ['-c', script.replaceAll('/usr/lib/', `${root}/usr/lib/`).replaceAll('/var/lib/', `${root}/var/lib/`)],
    { encoding: 'utf8', env: { PATH: `${join(root, 'tools')}:${process.env.PATH}` } },
  );
  return stdout.replaceAll(root, '').trim();
}

const status = (name: string) =>
  `[ "$1 $2" = '-s tapster' ] && printf 'Package: tapster\nStatus: install ok ${name}\nVersion: 1.0.0\n'`;

test.each(['installed', 'half-configured', 'unpacked'])(
  'the updater of the payload runs while the package is %s',
  (name) => {
    expect(startUpdater(status(name))).toBe(
      'payload --max-old-space-size=64 /usr/lib/tapster/dist/updater/main.js resume',
    );
  },
);

test('after a power cut while dpkg unpacked, the updater of the release that runs goes on', () => {
  expect(startUpdater(status('half-installed'))).toBe(
    'release --max-old-space-size=64 /var/lib/tapster-releases/current/dist/updater/main.js resume',
  );
});

test('a package list that cannot be read does not stop the updater', () => {
  expect(startUpdater('exit 2')).toMatch(/^payload /);
});

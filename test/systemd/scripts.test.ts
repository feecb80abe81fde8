import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

/** What the installer brings into a tree, and the uninstaller takes away again. */
const ours = [
  'opt/tapster/dist/main.js',
  'opt/tapster/dist/web/index.html',
  'opt/tapster/hardware/meters/swissflow-sf800.json',
  'opt/tapster/node_modules/beer/index.js',
  'etc/systemd/system/tapster.service',
  'usr/lib/udev/rules.d/60-tapster.rules',
  'usr/lib/sysusers.d/tapster.conf',
  'usr/lib/tmpfiles.d/tapster.conf',
];

/**
 * A checkout that is built already, an empty machine's tree, and a npm that only notes what it is asked: the scripts
 * run as they are, while the libraries stay where they are.
 */
function bareTree() {
  const place = mkdtempSync(join(tmpdir(), 'tapster-tree-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [checkout, root, tools] = ['checkout', 'root', 'tools'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  for (const part of ['systemd', 'hardware', 'tools', 'package.json', 'package-lock.json', 'LICENSE']) {
    cpSync(join(productDirectory, part), join(checkout, part), { recursive: true });
  }
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const inCheckout = (file: string, text: string) => put(join(checkout, file), text);
  inCheckout('node_modules/beer/index.js', '');
  inCheckout('node_modules/.package-lock.json', '{}');
  inCheckout('dist/main.js', '#!/usr/bin/env node\n');
  inCheckout('dist/web/index.html', '<!doctype html>');
  // Written last: what is older than its stamp is not built again.
  for (const stamp of ['dist/.built-daemon', 'dist/.built-page']) inCheckout(stamp, '');

  /** Puts a program of that name before the machine's own. */
  const tool = (name: string, script: string) => {
    put(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  tool('npm', `echo "$*" >> "${place}/npm.log"`);

  const run = (script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [join(checkout, 'systemd', script), ...args], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, TAPSTER_ROOT: root, ...env },
    });
    return { code: status, out: stdout, err: stderr };
  };
  return {
    root,
    tool,
    inCheckout,
    agedByAnHour(file: string) {
      const then = Date.now() / 1_000 - 3_600;
      utimesSync(join(checkout, file), then, then);
    },
    install: (...args: string[]) => run('install.sh', args),
    uninstall: (...args: string[]) => run('uninstall.sh', args),
    /** On the machine itself, and with no other program at hand: whatever the script forgets to ask, it can do no harm. */
    runOnMachine: (script: string) => run(script, [], { TAPSTER_ROOT: '', PATH: tools }),
    inRoot: (path: string) => join(root, path),
    putInRoot: (path: string, text: string) => put(join(root, path), text),
    askedOfNpm: () => (existsSync(`${place}/npm.log`) ? readFileSync(`${place}/npm.log`, 'utf8') : ''),
  };
}

describe('the installer', () => {
  test('puts program, service and settings into a bare tree, and says so', () => {
    const { install, inRoot } = bareTree();
    expect(install()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Installed into') });
    for (const path of ours) expect(existsSync(inRoot(path)), path).toBe(true);
    expect(readlinkSync(inRoot('usr/local/bin/tapster'))).toBe('/opt/tapster/dist/main.js');
    expect(statSync(inRoot('opt/tapster/dist/main.js')).mode & 0o111).toBe(0o111);
    expect(JSON.parse(readFileSync(inRoot('etc/tapster/tapster.json'), 'utf8'))).toHaveProperty('taps');
  });

  test('run again it brings the program up to date and leaves the settings alone', () => {
    const { install, inRoot, putInRoot, inCheckout } = bareTree();
    install();
    putInRoot('etc/tapster/tapster.json', '{"log": {"level": "warn"}}');
    putInRoot('opt/tapster/dist/left-over.js', '');
    inCheckout('dist/web/index.html', '<!doctype html><p>newer');
    expect(install()).toMatchObject({ code: 0, out: expect.stringContaining('Kept') });
    expect(readFileSync(inRoot('etc/tapster/tapster.json'), 'utf8')).toBe('{"log": {"level": "warn"}}');
    expect(readFileSync(inRoot('opt/tapster/dist/web/index.html'), 'utf8')).toMatch(/newer/);
    expect(readdirSync(inRoot('opt'))).toEqual(['tapster']);
    expect(existsSync(inRoot('opt/tapster/dist/left-over.js'))).toBe(false);
  });

  test('libraries are fetched anew only when the list of them is newer than what is there', () => {
    const { install, inCheckout, agedByAnHour, askedOfNpm } = bareTree();
    install();
    expect(askedOfNpm()).not.toMatch(/^ci/m);
    inCheckout('package-lock.json', '{"an": "upgrade"}');
    agedByAnHour('node_modules/.package-lock.json');
    install();
    expect(askedOfNpm()).toMatch(/^ci/m);
  });

  test.each([
    ['a Pi that is too old', 'uname', 'case $1 in -m) echo armv6l ;; *) echo Linux ;; esac', /Pi 2 or later/],
    [
      'another processor',
      'uname',
      'case $1 in -m) echo mips ;; *) echo Linux ;; esac',
      /mips is not supported/,
    ],
    ['another system', 'uname', 'echo Darwin', /needs Linux, and this is Darwin/],
    ['an old Node', 'node', 'case $1 in -e) exit 1 ;; *) echo v18.19.0 ;; esac', /v18\.19\.0 is too old/],
  ])('on %s it refuses with a sentence and touches nothing', (_what, name, script, words) => {
    const { tool, install, root } = bareTree();
    tool(name, script);
    const { code, err } = install();
    expect(code).toBe(1);
    expect(err).toMatch(/^Tapster was not installed: .+\n$/);
    expect(err).toMatch(words);
    expect(existsSync(root)).toBe(false);
  });

  test('a word it does not know is refused before anything is done', () => {
    const { install, root } = bareTree();
    expect(install('--purge')).toMatchObject({ code: 1, err: expect.stringContaining('"--purge"') });
    expect(existsSync(root)).toBe(false);
  });
});

describe('the uninstaller', () => {
  test('takes the program away and keeps drinks and settings, however often it runs', () => {
    const { install, uninstall, inRoot, putInRoot } = bareTree();
    install();
    putInRoot('var/lib/tapster/tapster.db', 'a year of drinks');
    for (const _time of ['first', 'second']) {
      expect(uninstall()).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('drinks are still in'),
      });
      for (const path of ours) expect(existsSync(inRoot(path)), path).toBe(false);
      expect(existsSync(inRoot('opt/tapster'))).toBe(false);
      expect(lstatSync(inRoot('usr/local/bin/tapster'), { throwIfNoEntry: false })).toBeUndefined();
      expect(readFileSync(inRoot('var/lib/tapster/tapster.db'), 'utf8')).toBe('a year of drinks');
      expect(existsSync(inRoot('etc/tapster/tapster.json'))).toBe(true);
    }
  });

  test('asked to forget, it takes drinks and settings as well', () => {
    const { install, uninstall, inRoot, putInRoot } = bareTree();
    install();
    putInRoot('var/lib/tapster/tapster.db', 'a year of drinks');
    expect(uninstall('--forget')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('so are its drinks'),
    });
    for (const path of [...ours, 'var/lib/tapster', 'etc/tapster'])
      expect(existsSync(inRoot(path)), path).toBe(false);
  });

  test('a word it does not know is refused before anything is removed', () => {
    const { install, uninstall, inRoot } = bareTree();
    install();
    expect(uninstall('--forgt')).toMatchObject({ code: 1, err: expect.stringContaining('"--forgt"') });
    for (const path of ours) expect(existsSync(inRoot(path)), path).toBe(true);
  });

  test('a program of the same name that is not ours stays', () => {
    const { uninstall, inRoot, putInRoot } = bareTree();
    putInRoot('usr/local/bin/tapster', 'somebody else');
    expect(uninstall().code).toBe(0);
    expect(readFileSync(inRoot('usr/local/bin/tapster'), 'utf8')).toBe('somebody else');
  });
});

test.each(['install.sh', 'uninstall.sh'])('on the machine itself %s asks for root first', (script) => {
  const { tool, runOnMachine } = bareTree();
  tool('uname', 'case $1 in -m) echo aarch64 ;; *) echo Linux ;; esac');
  tool('id', 'echo 1000');
  tool('dirname', 'echo .');
  const { code, err } = runOnMachine(script);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`needs root\\. Try: sudo sh systemd/${script}`));
});

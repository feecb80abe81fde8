import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bareTree } from './bare-tree.ts';

/** Files that the installer creates and the uninstaller removes. */
const installedFiles = [
  'opt/tapster/dist/main.js',
  'opt/tapster/dist/web/index.html',
  'opt/tapster/hardware/meters/swissflow-sf800.json',
  'opt/tapster/node_modules/beer/index.js',
  'etc/systemd/system/tapster.service',
  'usr/lib/udev/rules.d/60-tapster.rules',
  'usr/lib/sysusers.d/tapster.conf',
  'usr/lib/tmpfiles.d/tapster.conf',
];

describe('the installer', () => {
  test('installs program, service and settings into an empty tree', () => {
    const { install, inRoot } = bareTree();
    expect(install()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Installed into') });
    for (const path of installedFiles) expect(existsSync(inRoot(path)), path).toBe(true);
    expect(readlinkSync(inRoot('usr/local/bin/tapster'))).toBe('/opt/tapster/dist/main.js');
    expect(statSync(inRoot('opt/tapster/dist/main.js')).mode & 0o111).toBe(0o111);
    expect(JSON.parse(readFileSync(inRoot('etc/tapster/tapster.json'), 'utf8'))).toHaveProperty('taps');
  });

  test('a second run upgrades the program and keeps the settings', () => {
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

  test('libraries are installed again only when the lock file is newer than them', () => {
    const { install, inCheckout, ageByAnHour, npmCalls } = bareTree();
    install();
    expect(npmCalls()).not.toMatch(/^ci/m);
    inCheckout('package-lock.json', '{"an": "upgrade"}');
    ageByAnHour('node_modules/.package-lock.json');
    install();
    expect(npmCalls()).toMatch(/^ci/m);
  });

  test('an incomplete installation of libraries is repeated', () => {
    const { install, removeFromCheckout, npmCalls } = bareTree();
    removeFromCheckout('node_modules/.package-lock.json');
    install();
    expect(npmCalls()).toMatch(/^ci/m);
  });

  test.each([
    [
      'a library that does not load',
      'node_modules/beer/index.js',
      'throw new Error("made for another Node.js")',
      /made for another Node[\s\S]*a library does not load.*node_modules and run this again/,
    ],
    ['a file left empty by a power cut', 'dist/chunks/run.js', '', /is damaged.*dist and run this again/],
    [
      'settings that the new program refuses',
      'dist/main.js',
      '#!/usr/bin/env node\nconsole.error("taps[0].meter: no such meter");\nprocess.exit(78);\n',
      /taps\[0\]\.meter[\s\S]*the settings have the errors above.*unchanged/,
    ],
  ])('with %s it keeps the previous program', (_what, file, text, message) => {
    const { install, inRoot, inCheckout, stamp } = bareTree();
    install();
    inCheckout('dist/web/index.html', '<!doctype html><p>newer');
    inCheckout(file, text);
    stamp();
    const { code, err } = install();
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(readdirSync(inRoot('opt'))).toEqual(['tapster']);
    expect(readFileSync(inRoot('opt/tapster/dist/web/index.html'), 'utf8')).not.toMatch(/newer/);
    expect(readFileSync(inRoot('opt/tapster/dist/main.js'), 'utf8')).toBe('#!/usr/bin/env node\n');
  });

  test('a partial copy on a full card is removed; on a card with too little space nothing is copied', () => {
    const { install, inRoot, tool } = bareTree();
    tool('cp', 'for last; do :; done; echo half > "$last/half"; echo "No space left on device" >&2; exit 1');
    expect(install()).toMatchObject({ code: 1, err: expect.stringContaining('No space left') });
    expect(readdirSync(inRoot('opt'))).toEqual([]);
    tool('df', 'echo header; echo /dev/root 8000000 7980000 20480 100% /');
    const { code, err } = install();
    expect(code).toBe(1);
    expect(err).toMatch(/has 20 MiB free and 6\d are needed/);
  });

  test('a power cut between the two renames keeps the previous program', () => {
    const { install, inRoot, putInRoot, inCheckout, stamp } = bareTree();
    putInRoot('opt/tapster.old/dist/main.js', 'the program that was there');
    inCheckout('node_modules/beer/index.js', 'throw new Error()');
    stamp();
    expect(install().code).toBe(1);
    expect(readdirSync(inRoot('opt'))).toEqual(['tapster']);
    expect(readFileSync(inRoot('opt/tapster/dist/main.js'), 'utf8')).toBe('the program that was there');
  });

  test('a unit left empty by a power cut is written again', () => {
    const { install, inRoot, putInRoot } = bareTree();
    putInRoot('etc/systemd/system/tapster.service', '');
    putInRoot('etc/systemd/system/tapster.service.new', '[Uni');
    install();
    expect(readFileSync(inRoot('etc/systemd/system/tapster.service'), 'utf8')).toMatch(/ExecStart=/);
    expect(readdirSync(inRoot('etc/systemd/system'))).toEqual(['tapster.service']);
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
  ])('on %s it fails with a message and changes nothing', (_what, name, script, message) => {
    const { tool, install, root } = bareTree();
    tool(name, script);
    const { code, err } = install();
    expect(code).toBe(1);
    expect(err).toMatch(/^Tapster was not installed: .+\n$/);
    expect(err).toMatch(message);
    expect(existsSync(root)).toBe(false);
  });

  test('a 32-bit system is told that there is no package for it, also with a 64-bit kernel', () => {
    const { tool, install } = bareTree();
    const note = expect.stringMatching(/^Note: this system is 32-bit: .* has no package/m);
    tool('uname', 'case $1 in -m) echo aarch64 ;; *) echo Linux ;; esac');
    tool('dpkg', 'echo armhf');
    expect(install()).toMatchObject({ code: 0, out: note });
    tool('dpkg', 'echo arm64');
    expect(install()).toMatchObject({ code: 0, out: expect.not.stringContaining('32-bit') });
  });

  test('an unknown option is rejected before anything is done', () => {
    const { install, root } = bareTree();
    expect(install('--purge')).toMatchObject({ code: 1, err: expect.stringContaining('"--purge"') });
    expect(existsSync(root)).toBe(false);
  });
});

describe('the uninstaller', () => {
  test('removes the program and keeps drinks and settings, also when run twice', () => {
    const { install, uninstall, inRoot, putInRoot } = bareTree();
    install();
    putInRoot('var/lib/tapster/tapster.db', 'a year of drinks');
    for (const _time of ['first', 'second']) {
      expect(uninstall()).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('drinks are still in'),
      });
      for (const path of installedFiles) expect(existsSync(inRoot(path)), path).toBe(false);
      expect(existsSync(inRoot('opt/tapster'))).toBe(false);
      expect(lstatSync(inRoot('usr/local/bin/tapster'), { throwIfNoEntry: false })).toBeUndefined();
      expect(readFileSync(inRoot('var/lib/tapster/tapster.db'), 'utf8')).toBe('a year of drinks');
      expect(existsSync(inRoot('etc/tapster/tapster.json'))).toBe(true);
    }
  });

  test('with --forget it removes drinks and settings as well', () => {
    const { install, uninstall, inRoot, putInRoot } = bareTree();
    install();
    putInRoot('var/lib/tapster/tapster.db', 'a year of drinks');
    expect(uninstall('--forget')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('so are its drinks'),
    });
    for (const path of [...installedFiles, 'var/lib/tapster', 'etc/tapster'])
      expect(existsSync(inRoot(path)), path).toBe(false);
  });

  test('an unknown option is rejected before anything is removed', () => {
    const { install, uninstall, inRoot } = bareTree();
    install();
    expect(uninstall('--forgt')).toMatchObject({ code: 1, err: expect.stringContaining('"--forgt"') });
    for (const path of installedFiles) expect(existsSync(inRoot(path)), path).toBe(true);
  });

  test('a program of the same name that it did not install is kept', () => {
    const { uninstall, inRoot, putInRoot } = bareTree();
    putInRoot('usr/local/bin/tapster', 'somebody else');
    expect(uninstall().code).toBe(0);
    expect(readFileSync(inRoot('usr/local/bin/tapster'), 'utf8')).toBe('somebody else');
  });
});

test.each(['install.sh', 'uninstall.sh'])('without TAPSTER_ROOT %s requires root', (script) => {
  const { tool, runOnMachine } = bareTree();
  tool('uname', 'case $1 in -m) echo aarch64 ;; *) echo Linux ;; esac');
  tool('id', 'echo 1000');
  tool('dirname', 'echo .');
  const { code, err } = runOnMachine(script);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`needs root\\. Try: sudo sh systemd/${script}`));
});

test.each(['install.sh', 'uninstall.sh'])('where the package is installed %s changes nothing', (script) => {
  const { tool, runOnMachine } = bareTree();
  tool('uname', 'case $1 in -m) echo aarch64 ;; *) echo Linux ;; esac');
  tool('id', 'echo 0');
  tool('dirname', 'echo .');
  tool('dpkg-query', 'echo install ok installed');
  tool('grep', '/bin/grep "$@"');
  const { code, err } = runOnMachine(script);
  expect(code).toBe(1);
  expect(err).toMatch(/the package tapster is installed\. .*sudo apt remove tapster/);
});

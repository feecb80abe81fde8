import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageTree, scriptsFolder } from './package-tree.ts';

const releases = 'var/lib/tapster-releases';
const scripts = ['preinst', 'postinst', 'prerm', 'postrm', 'tapster'];

test.each(scripts)('%s is a valid shell script that asks nothing and needs no network', (name) => {
  const file = join(scriptsFolder, name);
  expect(spawnSync('sh', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const text = readFileSync(file, 'utf8').replaceAll(/^ *#.*$/gm, '');
  expect(text).not.toMatch(/\b(?:read|npm|curl|wget|apt-get)\s/);
  if (name !== 'tapster') expect(text).toMatch(/^set -e$/m);
});

describe('configuring', () => {
  test('makes the first release and the settings, and enables the unit', () => {
    const { configure, read, inRoot, unitCalls, forbidden } = packageTree();
    expect(configure()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('for two taps') });
    expect(readlinkSync(inRoot(`${releases}/current`))).toBe('0.1.0');
    expect(read(`${releases}/current/dist/main.js`)).toBe('// 0.1.0');
    expect(JSON.parse(read('etc/tapster/tapster.json'))).toHaveProperty('taps');
    expect(read('etc/avahi/services/tapster.service')).toMatch(/written by the package/);
    expect(unitCalls()).toMatch(/^--quiet was-enabled tapster\.service$/m);
    expect(unitCalls()).toMatch(/^enable tapster\.service$/m);
    expect(unitCalls()).not.toMatch(/updater/);
    expect(forbidden()).toBe('');
  });

  test('a release takes no space of its own', () => {
    const { configure, inRoot } = packageTree();
    configure();
    const [payload, release] = ['usr/lib/tapster', `${releases}/0.1.0`].map((folder) =>
      statSync(inRoot(`${folder}/dist/main.js`)),
    );
    expect(release?.ino).toBe(payload?.ino);
  });

  test('where hard links are refused the release is copied', () => {
    const { configure, tool, read } = packageTree();
    tool('cp', 'case $1 in -al) exit 1 ;; *) exec /bin/cp "$@" ;; esac');
    expect(configure()).toMatchObject({ code: 0, err: '' });
    expect(read(`${releases}/0.1.0/dist/main.js`)).toBe('// 0.1.0');
  });

  test('a second run changes nothing', () => {
    const { configure, put, read, inRoot } = packageTree();
    configure();
    put('etc/tapster/tapster.json', '{"log": {"level": "warn"}}');
    const before = statSync(inRoot(`${releases}/0.1.0`)).ino;
    expect(configure('0.1.0')).toEqual({ code: 0, out: '', err: '' });
    expect(read('etc/tapster/tapster.json')).toBe('{"log": {"level": "warn"}}');
    expect(statSync(inRoot(`${releases}/0.1.0`)).ino).toBe(before);
  });

  test('an upgrade without the updater switches to the new release', () => {
    const { configure, unpack, read, inRoot } = packageTree();
    configure();
    unpack('0.2.0');
    expect(configure('0.1.0').code).toBe(0);
    expect(readlinkSync(inRoot(`${releases}/current`))).toBe('0.2.0');
    expect(read(`${releases}/current/dist/main.js`)).toBe('// 0.2.0');
  });

  test('another build of the same version replaces the release', () => {
    const { configure, unpack, read, inRoot } = packageTree();
    configure();
    unpack('0.1.0', 'another build');
    expect(configure('0.1.0').code).toBe(0);
    expect(read(`${releases}/current/dist/main.js`)).toBe('// another build');
    expect(readdirSync(inRoot(releases)).sort()).toEqual(['0.1.0', 'current']);
  });

  test('leftovers of an interrupted run do not matter', () => {
    const { configure, put, inRoot, read } = packageTree();
    put(`${releases}/0.1.0.new/dist/main.js`, 'half');
    put(`${releases}/0.1.0/dist/main.js`, 'half');
    put('etc/tapster/tapster.json.new', 'half');
    expect(configure().code).toBe(0);
    expect(read(`${releases}/current/dist/main.js`)).toBe('// 0.1.0');
    expect(readdirSync(inRoot(releases)).sort()).toEqual(['0.1.0', 'current']);
    expect(readdirSync(inRoot('etc/tapster'))).toEqual(['tapster.json']);
  });

  test('an announcement that somebody has changed is kept', () => {
    const { configure, put, read } = packageTree();
    put('etc/avahi/services/tapster.service', '<service-group/>');
    configure();
    expect(read('etc/avahi/services/tapster.service')).toBe('<service-group/>');
  });

  test('an unknown argument is refused, and a failed upgrade is undone without changes', () => {
    const { run, exists } = packageTree();
    expect(run('postinst', ['nonsense']).code).toBe(1);
    expect(run('postinst', ['abort-upgrade', '0.2.0'])).toEqual({ code: 0, out: '', err: '' });
    expect(exists(releases)).toBe(false);
  });
});

describe('an installation of a checkout', () => {
  const unit = 'etc/systemd/system/tapster.service';
  const olderUnit =
    '[Unit]\nDescription=Tapster, the tap counter\n[Service]\nExecStart=/usr/bin/env node /opt/tapster/dist/main.js run\n';

  test('its unit and command, which would hide those of the package, are moved away', () => {
    const { configure, put, read, exists, inRoot } = packageTree();
    put(unit, olderUnit);
    put('opt/tapster/dist/main.js', '');
    put('usr/local/bin/other', '');
    symlinkSync('/opt/tapster/dist/main.js', inRoot('usr/local/bin/tapster'));
    const { out, code } = configure();
    expect(code).toBe(0);
    expect(out).toMatch(/moved the unit .*\.dpkg-old/);
    expect(out).toMatch(/rm -r \/opt\/tapster/);
    expect(exists(unit)).toBe(false);
    expect(read(`${unit}.dpkg-old`)).toBe(olderUnit);
    expect(readdirSync(inRoot('usr/local/bin'))).toEqual(['other']);
    expect(exists('opt/tapster/dist/main.js')).toBe(true);
  });

  test('a unit left empty by a power cut is moved as well', () => {
    const { configure, put, exists } = packageTree();
    put(unit, '');
    configure();
    expect(exists(unit)).toBe(false);
  });

  test('a unit that somebody else wrote is kept and named', () => {
    const { configure, put, read } = packageTree();
    put(unit, '[Unit]\nDescription=Beer\n');
    expect(configure().out).toMatch(/not a unit of Tapster's installer; it is kept/);
    expect(read(unit)).toMatch(/Beer/);
  });
});

describe('removing', () => {
  const installed = () => {
    const tree = packageTree();
    tree.configure();
    tree.put('var/lib/tapster/tapster.db', 'a year of drinks');
    return tree;
  };

  test('removes releases and announcement, and keeps drinks and settings', () => {
    const { run, exists, forbidden } = installed();
    expect(run('prerm', ['remove']).code).toBe(0);
    expect(run('postrm', ['remove'])).toEqual({ code: 0, out: '', err: '' });
    expect(exists(releases)).toBe(false);
    expect(exists('etc/avahi/services/tapster.service')).toBe(false);
    expect(exists('var/lib/tapster/tapster.db')).toBe(true);
    expect(exists('etc/tapster/tapster.json')).toBe(true);
    expect(forbidden()).toBe('');
  });

  test('an upgrade removes nothing', () => {
    const { run, exists } = installed();
    for (const args of [['prerm', 'upgrade', '0.2.0'] as const, ['postrm', 'upgrade', '0.2.0'] as const])
      expect(run(args[0], args.slice(1))).toEqual({ code: 0, out: '', err: '' });
    expect(exists(`${releases}/current/dist/main.js`)).toBe(true);
  });

  test('a purge keeps drinks and settings and says where they are', () => {
    const { run, exists, unitCalls } = installed();
    expect(run('postrm', ['purge'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('sudo rm -r /var/lib/tapster /etc/tapster'),
    });
    expect(exists('var/lib/tapster/tapster.db')).toBe(true);
    expect(unitCalls()).toMatch(/^purge tapster\.service$/m);
  });

  test('a purge with TAPSTER_PURGE_DATA=yes removes them, also when repeated', () => {
    const { run, exists } = installed();
    for (const _time of ['first', 'second'])
      expect(run('postrm', ['purge'], { TAPSTER_PURGE_DATA: 'yes' })).toMatchObject({ code: 0, err: '' });
    expect(exists('var/lib/tapster')).toBe(false);
    expect(exists('etc/tapster')).toBe(false);
  });
});

test('on a disk with too little space nothing is unpacked', () => {
  const { run, tool } = packageTree();
  tool('df', 'echo header; echo /dev/root 8000000 7980000 20480 100% /');
  expect(run('preinst', ['install'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('has 20 MiB free'),
  });
});

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

export const scriptsFolder = join(productDirectory, 'packaging/debian');

/**
 * A tree with an unpacked package, in which the maintainer scripts run with DPKG_ROOT, as dpkg runs them for an image. Programs
 * that would change this machine are replaced by ones that fail the test.
 */
export function packageTree() {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-package-tree-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, tools, scripts] = ['root', 'tools', 'scripts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const inRoot = (path: string) => join(root, path);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(inRoot(path)), { recursive: true });
    writeFileSync(inRoot(path), text);
  };
  const tool = (name: string, script: string) => {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  for (const name of [
    'systemctl',
    'systemd-sysusers',
    'systemd-tmpfiles',
    'udevadm',
    'deb-systemd-invoke',
    'setpriv',
  ])
    tool(name, `echo "${name} $*" >> "${folder}/forbidden.log"; exit 1`);
  tool('deb-systemd-helper', `echo "$*" >> "${folder}/units.log"`);
  mkdirSync(scripts, { recursive: true });

  /** Puts the payload of a version where dpkg unpacks it: as new files, with the maintainer scripts of that version. */
  const unpack = (version: string, build = version) => {
    rmSync(inRoot('usr/lib/tapster'), { recursive: true, force: true });
    put('usr/lib/tapster/package.json', JSON.stringify({ version }));
    put('usr/lib/tapster/build.json', JSON.stringify({ build }));
    put('usr/lib/tapster/dist/main.js', `// ${build}`);
    put('usr/lib/systemd/system/tapster.service', '[Unit]');
    put('usr/share/tapster/avahi.service', '<!-- written by the package tapster -->');
    cpSync(join(productDirectory, 'hardware'), inRoot('usr/lib/tapster/hardware'), { recursive: true });
    for (const name of ['preinst', 'postinst', 'prerm', 'postrm']) {
      const text = readFileSync(join(scriptsFolder, name), 'utf8').replaceAll('@VERSION@', version);
      writeFileSync(join(scripts, name), text);
    }
  };
  unpack('0.1.0');

  const run = (script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [join(scripts, script), ...args], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, DPKG_ROOT: root, ...env },
    });
    return { code: status, out: stdout, err: stderr };
  };
  const log = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  return {
    inRoot,
    put,
    tool,
    unpack,
    read: (path: string) => readFileSync(inRoot(path), 'utf8'),
    exists: (path: string) => existsSync(inRoot(path)),
    run,
    configure: (previous = '') => run('postinst', ['configure', previous]),
    unitCalls: () => log('units.log'),
    /** Calls that would have changed this machine. */
    forbidden: () => log('forbidden.log'),
  };
}

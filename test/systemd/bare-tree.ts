import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

/**
 * A built checkout, an empty root tree, and a fake npm that only logs its arguments: the scripts run
 * unchanged, without installing libraries.
 */
export function bareTree() {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-tree-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [checkout, root, tools] = ['checkout', 'root', 'tools'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const part of ['systemd', 'hardware', 'tools', 'package-lock.json', 'LICENSE']) {
    cpSync(join(productDirectory, part), join(checkout, part), { recursive: true });
  }
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const inCheckout = (file: string, text: string) => put(join(checkout, file), text);
  inCheckout('package.json', '{"type": "module", "dependencies": {"beer": "1.0.0"}}');
  inCheckout('node_modules/beer/index.js', '');
  inCheckout('node_modules/.package-lock.json', '{}');
  inCheckout('dist/main.js', '#!/usr/bin/env node\n');
  inCheckout('dist/web/index.html', '<!doctype html>');
  /** Writes the stamps; call it last, since files older than their stamp are not built again. */
  const stamp = () => {
    for (const file of ['dist/.built-daemon', 'dist/.built-page']) inCheckout(file, '');
  };
  stamp();

  /** Adds a program that takes precedence over the machine's own of the same name. */
  const tool = (name: string, script: string) => {
    put(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  tool('npm', `echo "$*" >> "${folder}/npm.log"`);

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
    stamp,
    removeFromCheckout: (file: string) => rmSync(join(checkout, file)),
    ageByAnHour(file: string) {
      const then = Date.now() / 1_000 - 3_600;
      utimesSync(join(checkout, file), then, then);
    },
    install: (...args: string[]) => run('install.sh', args),
    uninstall: (...args: string[]) => run('uninstall.sh', args),
    /**
     * Runs without TAPSTER_ROOT and with only the fake programs in PATH, so that a missing check can do no
     * harm.
     */
    runOnMachine: (script: string) => run(script, [], { TAPSTER_ROOT: '', PATH: tools }),
    inRoot: (path: string) => join(root, path),
    putInRoot: (path: string, text: string) => put(join(root, path), text),
    npmCalls: () => (existsSync(`${folder}/npm.log`) ? readFileSync(`${folder}/npm.log`, 'utf8') : ''),
  };
}

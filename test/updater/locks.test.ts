import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockInstance } from '../../src/system/single-instance.ts';
import { lockNames } from '../../src/updater/options.ts';
import { isRoot, letOthersEnter, runAsOther } from '../kit/other-user.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'updater-')), 'releases');
  mkdirSync(folder);
  letOthersEnter(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('another user cannot stop updates: neither by the lock files, nor by the folder, nor by a socket', async () => {
  const names = lockNames(folder);
  for (const name of [names.run, names.add]) {
    (await lockInstance(name))!.release();
    // Other testers than root lose their own rights instead.
    if (!isRoot) chmodSync(`${name}.lock`, 0);
    const refused = await runAsOther('flock', ['-x', '-n', `${name}.lock`, 'true']);
    expect(refused.err).toMatch(/permission denied/i);
    expect(refused.code).toBe(66);
    if (!isRoot) chmodSync(`${name}.lock`, 0o600);

    const hash = createHash('sha256').update(resolve(name)).digest('hex').slice(0, 32);
    const socket = createServer().listen(`\0tapster-${hash}`);
    const lock = await lockInstance(name);
    expect(lock).not.toBeNull();
    // Whoever may read the folder can lock the folder, which nobody else does.
    const held = await runAsOther('flock', ['-x', '-n', folder, 'true']);
    expect(held.code).toBe(0);
    lock!.release();
    socket.close();
  }
});

import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { actAsOwner } from '../../src/cli/act-as-owner.ts';
import { UsageFault } from '../../src/cli/command.ts';

const isRoot = process.getuid?.() === 0;
afterEach(() => {
  vi.restoreAllMocks();
});

test.runIf(isRoot)('where Node.js cannot switch users, root is told which command works', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-owner-'));
  chownSync(folder, 1000, 1000);
  vi.spyOn(process, 'setgroups').mockImplementation(() => {
    throw new Error('setgroups() disabled: io_uring may be enabled.');
  });
  expect(() => actAsOwner(join(folder, 'tapster.db'))).toThrow(UsageFault);
});

test.runIf(isRoot)('root stays root for a folder of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-owner-'));
  const switchGroups = vi.spyOn(process, 'setgroups');
  actAsOwner(join(folder, 'tapster.db'));
  expect(switchGroups).not.toHaveBeenCalled();
});

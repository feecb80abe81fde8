import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

const isInstalled = ['mariadbd', 'mariadb', 'mariadb-dump', 'mariadb-install-db'].every(
  (program) =>
    spawnSync(program, ['--version']).error === undefined || spawnSync('which', [program]).status === 0,
);

/** False on a developer's machine without MariaDB (Debian: `mariadb-server`); the checks set the variable and always run it. */
export const hasMariadb = isInstalled || process.env.TAPSTER_REQUIRE_MARIADB === '1';

if (!hasMariadb) console.warn('MariaDB is not installed, so dumps of a real server are not tested.');

/** Largest dump of a test, bytes. */
const maxBuffer = 256 * 1024 * 1024;

/** A database server of its own in a folder, without network. */
export interface TestMariadb {
  /** Runs statements and returns what they print, columns separated by tabs. */
  run(sql: string): string;
  dump(options?: readonly string[]): Buffer;
  remove(): Promise<void>;
}

export async function startMariadb(): Promise<TestMariadb> {
  const path = mkdtempSync(join(tmpdir(), 'tapster-mariadb-'));
  const socket = join(path, 'socket');
  const data = `--datadir=${join(path, 'data')}`;
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot],
    { stdio: 'ignore' },
  );
  const child: ChildProcess = spawn(
    'mariadbd',
    [
      '--no-defaults',
      data,
      `--socket=${socket}`,
      `--pid-file=${join(path, 'pid')}`,
      '--skip-networking',
      ...asRoot,
    ],
    { stdio: 'ignore' },
  );
  const connection = ['--no-defaults', `--socket=${socket}`, '--user=root'];
  await vi.waitUntil(
    () => spawnSync('mariadb', [...connection, '-e', 'SELECT 1'], { stdio: 'ignore' }).status === 0,
    { timeout: 60_000, interval: 50 },
  );
  execFileSync('mariadb', [...connection, '-e', 'CREATE DATABASE kegbot CHARACTER SET utf8mb4']);
  return {
    run: (sql) =>
      execFileSync('mariadb', [...connection, '--default-character-set=utf8mb4', '-N', 'kegbot'], {
        input: sql,
        encoding: 'utf8',
      }),
    dump: (options = []) =>
      execFileSync('mariadb-dump', [...connection, ...options, 'kegbot'], { maxBuffer }),
    async remove() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(path, { recursive: true, force: true });
    },
  };
}

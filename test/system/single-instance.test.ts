import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockInstance } from '../../src/system/single-instance.ts';
import { isRoot, letOthersEnter, runAsOther } from '../kit/other-user.ts';

/** Takes the lock in the built program. */
const locker = `
const { lockInstance } = await import(${JSON.stringify(new URL('../../dist/system/single-instance.js', import.meta.url).href)});
const lock = await lockInstance(process.argv[1]);
console.log(lock === null ? 'refused' : 'held');
if (lock === null) process.exit();
setInterval(() => {}, 1_000);
`;

let folder = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A process that takes the lock and holds it until it is killed. */
async function startLocker(path: string): Promise<{ answer: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', locker, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const exited = once(child, 'exit');
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return {
    answer: line.toString().trim(),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('a second daemon does not get the lock of the same database', async () => {
  const first = await lockInstance(`${folder}/a.db`);
  expect(first).not.toBeNull();
  expect(await lockInstance(`${folder}/../${folder.split('/').at(-1)}/a.db`)).toBeNull();
  first!.release();
});

test('two databases in one folder, and archives and imports of one database, have separate locks', async () => {
  const locks = [
    await lockInstance(`${folder}/up.db`),
    await lockInstance(`${folder}/down.db`),
    await lockInstance(`${folder}/up.db`, 'archive'),
    await lockInstance(`${folder}/up.db`, 'import'),
  ];
  expect(locks).not.toContain(null);
  expect(await lockInstance(`${folder}/up.db`, 'archive')).toBeNull();
  for (const lock of locks) lock!.release();
});

test('a released lock can be acquired again; a second release changes nothing', async () => {
  const first = await lockInstance(`${folder}/b.db`);
  first!.release();
  const second = await lockInstance(`${folder}/b.db`);
  first!.release();
  expect(second).not.toBeNull();
  expect(await lockInstance(`${folder}/b.db`)).toBeNull();
  second!.release();
});

test('every path to the same file is the same lock: linked folder, linked file, hard link', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'a.db'), 'beer');
  symlinkSync(home, join(folder, 'linked'));
  symlinkSync(join(home, 'a.db'), join(folder, 'linked.db'));
  symlinkSync('linked.db', join(folder, 'twice.db'));
  linkSync(join(home, 'a.db'), join(folder, 'hard.db'));
  const paths = ['home/a.db', 'linked/a.db', 'linked.db', 'twice.db', 'hard.db'].map((one) =>
    join(folder, one),
  );
  for (const path of paths) {
    const lock = await lockInstance(path);
    expect(lock, path).not.toBeNull();
    for (const other of paths) expect(await lockInstance(other), `${path} against ${other}`).toBeNull();
    lock!.release();
  }
});

test('a bind mount of the folder is the same lock', async () => {
  const [home, mounted] = [join(folder, 'home'), join(folder, 'mounted')];
  for (const path of [home, mounted]) mkdirSync(path);
  const lock = await lockInstance(join(home, 'a.db'));
  const script = `mount --bind "${home}" "${mounted}" && flock -x -n "${mounted}/a.db.lock" true || echo refused`;
  // Without root a user namespace permits the mount; a machine that permits neither has no bind mounts.
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c', script],
    { encoding: 'utf8' },
  );
  expect(`${stdout}${stderr}`).toMatch(isRoot ? /^refused\n$/ : /^refused\n$|not permitted/);
  lock!.release();
});

test('a link to a database that does not exist yet is its lock', async () => {
  symlinkSync(join(folder, 'new.db'), join(folder, 'link.db'));
  const lock = await lockInstance(join(folder, 'link.db'));
  expect(await lockInstance(join(folder, 'new.db'))).toBeNull();
  lock!.release();
});

test('a database that was created or replaced meanwhile is locked once it is covered', async () => {
  const path = join(folder, 'a.db');
  const lock = await lockInstance(path);
  writeFileSync(path, 'first');
  await lock!.coverFile();
  linkSync(path, join(folder, 'hard.db'));
  expect(await lockInstance(join(folder, 'hard.db'))).toBeNull();

  writeFileSync(join(folder, 'restored'), 'second');
  renameSync(join(folder, 'restored'), path);
  await lock!.coverFile();
  linkSync(path, join(folder, 'other.db'));
  expect(await lockInstance(join(folder, 'other.db'))).toBeNull();
  const former = await lockInstance(join(folder, 'hard.db'));
  expect(former, 'the replaced file belongs to nobody').not.toBeNull();
  for (const one of [lock, former]) one!.release();
});

test('kill -9 leaves no lock behind', async () => {
  const path = join(folder, 'a.db');
  const first = await startLocker(path);
  expect(first.answer).toBe('held');
  expect(await lockInstance(path)).toBeNull();
  await first.kill();
  const second = await lockInstance(path);
  expect(second).not.toBeNull();
  second!.release();
});

test('of ten that start at once exactly one wins, also through links', async () => {
  writeFileSync(join(folder, 'a.db'), '');
  symlinkSync(folder, join(folder, 'linked'));
  for (let round = 0; round < 3; round++) {
    const paths = Array.from({ length: 10 }, (_, i) => join(folder, i % 2 === 0 ? 'linked/a.db' : 'a.db'));
    const locks = await Promise.all(paths.map((path) => lockInstance(path)));
    expect(locks.filter((lock) => lock !== null)).toHaveLength(1);
    for (const lock of locks) lock?.release();
  }
  const started = await Promise.all(
    Array.from({ length: 10 }, (_, i) => startLocker(join(folder, i % 2 === 0 ? 'linked/a.db' : 'a.db'))),
  );
  expect(started.filter(({ answer }) => answer === 'held')).toHaveLength(1);
}, 60_000);

test('a lock file that was deleted is made again', async () => {
  const path = join(folder, 'a.db');
  (await lockInstance(path))!.release();
  rmSync(`${path}.lock`);
  const lock = await lockInstance(path);
  expect(existsSync(`${path}.lock`)).toBe(true);
  lock!.release();
});

test('another user can neither take the lock nor keep it from being taken', async () => {
  letOthersEnter(folder);
  const path = join(folder, 'a.db');
  (await lockInstance(path))!.release();
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
  // Other testers than root cannot become somebody else: they lose their own rights instead.
  if (!isRoot) chmodSync(`${path}.lock`, 0);
  const { code, err } = await runAsOther('flock', ['-x', '-n', `${path}.lock`, 'true']);
  expect(code).toBe(66);
  expect(err).toMatch(/permission denied/i);
  if (!isRoot) chmodSync(`${path}.lock`, 0o600);
  const lock = await lockInstance(path);
  expect(lock).not.toBeNull();
  lock!.release();
});

test('a lock file that a foreign user has left is refused by name', async () => {
  const path = join(folder, 'a.db');
  writeFileSync(`${path}.lock`, '', { mode: 0o600 });
  if (isRoot) chownSync(`${path}.lock`, 65_534, 65_534);
  else chmodSync(`${path}.lock`, 0);
  await expect(lockInstance(path)).rejects.toThrow(`${path}.lock`);
});

test('a lock file that root makes belongs to the owner of the folder', async () => {
  if (isRoot) chownSync(folder, 65_534, 65_534);
  const lock = await lockInstance(join(folder, 'a.db'));
  expect(statSync(join(folder, 'a.db.lock')).uid).toBe(statSync(folder).uid);
  lock!.release();
});

test('where no lock file can be made, the nearest folder is locked', async () => {
  const path = join(folder, 'missing', 'a.db');
  const lock = await lockInstance(path);
  expect(lock).not.toBeNull();
  expect(await lockInstance(path)).toBeNull();
  lock!.release();
});

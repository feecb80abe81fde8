import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fillBar, openingMs } from '../services/backups/filled-bar.ts';
import { readNumber, recordMeasurement } from './measurements.ts';

/** As many as a database of 77 MB has. */
const drinks = readNumber('TAPSTER_FAULT_BACKUP_DRINKS', 205_000);

/** Written for each byte of the archive. */
const allowedRatio = 1.2;

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Prints what the process has written to disks, as the kernel counts it, when it ends. */
const printWritten =
  'data:text/javascript,import{readFileSync,writeSync}from"node:fs";' +
  'process.on("exit",()=>writeSync(2,readFileSync("/proc/self/io","utf8")))';

/** Runs the process that makes a backup; bytes that it wrote to the disk. */
function backUp(database: string): { readonly written: number; readonly name: string } {
  const job = {
    kind: 'make',
    settings: null,
    database,
    occasion: 'nightly',
    serverVersion: '0.1.0',
    createdMs: openingMs,
    clockSynced: true,
    target: 'folder',
  };
  const script = join(repository, 'dist/services/backups/archive-child.js');
  const shell = '"$0" --import "$1" "$2" "$3" 2>&1';
  const args = ['-c', shell, process.execPath, printWritten, script, JSON.stringify(job)];
  const output = execFileSync('sh', args, { encoding: 'utf8', maxBuffer: 1e6 });
  const { done } = JSON.parse(output.slice(0, output.indexOf('\n'))) as { done: { name: string } };
  return { written: Number(/^write_bytes: (\d+)/m.exec(output)![1]), name: done.name };
}

function addDrinks(database: string): void {
  const script = new URL('../bench/data/many-drinks.mjs', import.meta.url).href;
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { addDrinks, shapes } from '${script}';
     addDrinks(${JSON.stringify(database)}, ${drinks}, shapes.bar);`,
  ]);
}

test(`the nightly backup of a database of 77 MB writes at most ${allowedRatio} times the size of its archive`, (context) => {
  const bar = fillBar({ drinks: 0 });
  for (let user = 0; user < 100; user++)
    bar.engine.users.addUser(
      { username: `guest${user}` },
      { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' },
    );
  bar.store.close();
  addDrinks(bar.database);
  const { size } = statSync(bar.database);
  expect(size).toBeGreaterThan(77e6);
  const { written, name } = backUp(bar.database);
  const archive = statSync(join(bar.backups, name)).size;
  const mib = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  recordMeasurement(context, {
    what: `Written by a backup of ${mib(size)}, whose archive has ${mib(archive)}`,
    found: mib(written),
    allowed: mib(archive * allowedRatio),
  });
  // Less would mean that nothing was measured: a file system in memory.
  expect(written).toBeGreaterThanOrEqual(archive);
  expect(written).toBeLessThanOrEqual(archive * allowedRatio);
}, 120_000);

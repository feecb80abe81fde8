// Checks the content of a disk on a copy, as the next boot would find it.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const Database = createRequire(import.meta.url)('better-sqlite3');

/** Runs a program that must succeed; returns its output. */
export function runChecked(program, args, { env = {}, input, fine = [0] } = {}) {
  const paths = { PATH: `${process.env.PATH}:/sbin:/usr/sbin` };
  const run = spawnSync(program, args, {
    env: { ...process.env, ...paths, ...env },
    input,
    encoding: 'utf8',
  });
  if (!fine.includes(run.status)) throw new Error(`${program} ${args.join(' ')}: ${run.stdout}${run.stderr}`);
  return run.stdout.trim();
}

/** Returns every drink of the database in a disk image, and all problems of the database. */
export async function inspectDisk(image, { folder, dist }) {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  copyFileSync(image, `${copy}.img`);
  // The file system's journal is replayed as at a mount; after that nothing may need a repair.
  runChecked('e2fsck', ['-y', '-E', 'journal_only', `${copy}.img`], { fine: [0, 1] });
  runChecked('e2fsck', ['-fn', `${copy}.img`]);
  runChecked('debugfs', ['-R', `rdump /tapster ${copy}`, `${copy}.img`]);
  const file = join(copy, 'tapster/tapster.db');

  const db = new Database(file);
  const integrity = db.pragma('integrity_check', { simple: true });
  const columns =
    'id, meter, ticks, coalesce(pour_id, (SELECT r.pour_id FROM reported_pours r WHERE r.drink_id = drinks.id)) AS pour_id, source, boot_id';
  const pours = db.prepare(`SELECT ${columns} FROM drinks ORDER BY id`).all();
  db.close();

  const [{ openStore }, { createEngine }, { createEventBus }] = await Promise.all(
    ['store/store', 'engine/create-engine', 'core/event-bus'].map((name) => import(join(dist, `${name}.js`))),
  );
  const store = openStore({ file });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const engine = createEngine({ store, bus, ids: { next: randomUUID }, settings: { maxFlowMlPerS: 200 } });
  const problems = [
    ...(integrity === 'ok' ? [] : [integrity]),
    ...store.faults(),
    ...engine.site.checkDatabase(),
  ];
  store.close();
  return { pours, problems };
}

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extensions } from '../../src/extensions/all.ts';
import { runArchiveJob } from '../../src/services/backups/run-archive-job.ts';
import { openStore } from '../../src/store/store.ts';
import { fillBar, openingMs } from '../services/backups/filled-bar.ts';
import { recordMeasurement } from './measurements.ts';

const drinks = 100_000;
const pictures = 400;
const allowedBytes = 120e6;

/** Adds drinks as of years in a bar, with their sessions, kegs, events and totals. */
function addDrinks(database: string): void {
  const script = new URL('../bench/data/many-drinks.mjs', import.meta.url).href;
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { addDrinks, shapes } from '${script}';
     addDrinks(${JSON.stringify(database)}, ${drinks}, shapes.bar);`,
  ]);
}

test(`a backup of ${drinks} drinks and ${pictures} pictures needs at most 120 MB of memory in its process`, async (context) => {
  const bar = fillBar({ drinks: 0 });
  for (let user = 0; user < 100; user++)
    bar.engine.users.addUser(
      { username: `guest${user}` },
      { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' },
    );
  bar.store.close();
  addDrinks(bar.database);
  const store = openStore({ file: bar.database, extensions });
  for (let drink = 1; drink <= pictures; drink++) {
    const name = drink.toString(16).padStart(32, '0');
    store.pictures.addToDrink(name, drink);
    writeFileSync(join(bar.home, 'pictures', `${name}-1024.jpg`), randomBytes(150_000));
    writeFileSync(join(bar.home, 'pictures', `${name}-128.jpg`), randomBytes(5_000));
  }
  store.close();

  const { peakBytes, manifest } = await runArchiveJob<'make'>({
    kind: 'make',
    settings: null,
    database: bar.database,
    occasion: 'manual',
    serverVersion: '0.1.0',
    createdMs: openingMs,
    clockSynced: true,
    target: 'folder',
  });
  expect([manifest.databaseBytes > 20e6, manifest.pictureBytes > 60e6]).toEqual([true, true]);
  recordMeasurement(context, {
    what: `Memory of the process that backs up ${drinks} drinks and ${pictures} pictures`,
    found: `${(peakBytes! / 1e6).toFixed(0)} MB`,
    allowed: '120 MB',
  });
  // Starting Node.js takes 40 MB; less would mean that nothing was measured.
  expect(peakBytes).toBeGreaterThan(40e6);
  expect(peakBytes).toBeLessThan(allowedBytes);
}, 180_000);

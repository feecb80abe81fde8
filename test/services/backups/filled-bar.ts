import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { makeBackup } from '../../../src/services/backups/make-backup.ts';
import { backupsFolder } from '../../../src/store/archive/backup-folder.ts';
import { openStore } from '../../../src/store/store.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';

/** Saturday 2 May 2026, 17:00 UTC. */
export const openingMs = Date.UTC(2026, 4, 2, 17);

/** Creates a bar on disk: a keg of Helles, drinks of 300 mL from it, and a picture of the first drink. */
export function fillBar({ drinks = 3 } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'tapster-bar-'));
  const database = join(home, 'tapster.db');
  const store = openStore({ file: database, extensions });
  let count = 0;
  const engine = createEngine({
    store,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    ids: { next: () => `id-${++count}` },
    settings: { maxFlowMlPerS: 200 },
  });
  const at = (afterMs: number) => ({
    monoMs: afterMs,
    wallMs: openingMs + afterMs,
    synced: true,
    bootId: 'boot-1',
  });
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Raspberry Pi' },
    meters: [{ portName: 'flow0', ticksPerMl: 2 }],
    toggles: [],
    taps: [{ name: 'Left', meterPort: 'flow0' }],
  });
  const [tap] = engine.taps.list();
  engine.kegs.start(
    tap!.tap.id,
    {
      beverage: { name: 'Haus Helles', producerName: 'Hausbrauerei', styleName: 'Helles' },
      sizeKey: 'euro-30-liter',
    },
    at(0),
  );
  engine.users.addUser({ username: 'anna', isStaff: true }, at(0));
  const pour = (number: number) => insertDrink(store, { ticks: 600, durationMs: 5_000 }, at(number * 60_000));
  for (let drink = 1; drink <= drinks; drink++) pour(drink);
  const picture = 'ab'.repeat(16);
  mkdirSync(join(home, 'pictures'));
  if (drinks > 0) {
    store.pictures.addToDrink(picture, 1);
    writeFileSync(join(home, 'pictures', `${picture}-1024.jpg`), 'a large picture of a beer');
    writeFileSync(join(home, 'pictures', `${picture}-128.jpg`), 'a small picture of a beer');
  }
  return {
    home,
    database,
    backups: backupsFolder(database),
    store,
    engine,
    pour,
    picture,
    backUp: (createdMs = openingMs, settings: string | null = null) =>
      makeBackup({
        kind: 'make',
        database,
        settings,
        occasion: 'manual',
        serverVersion: '0.1.0',
        createdMs,
        clockSynced: true,
        target: 'folder',
      }),
  };
}

import { test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import type { ImportedDrink } from '../../../../src/extensions/import/engine/imports.ts';
import { checkKegsInTime, type OtherWay } from '../../../engine/kegs/placement/kegs-in-time.ts';
import { importsOf, openEmptyImportBar } from './import-bar.ts';

/** A row of a file that names the tap, as of drinks that were written down. */
const importDrink: OtherWay = (bar, { ticks, durationMs, untilMs }, now) => {
  const run = importsOf(bar).start(
    { source: 'paper', isFile: true, isDryRun: false, actor: systemActor, calledBy: 'pi' },
    now,
  );
  const nothing = { pourId: null, username: null, kegKey: null, shout: null };
  const data: ImportedDrink = {
    ...nothing,
    pourTimeMs: untilMs,
    timeCertain: true,
    durationMs,
    ticks,
    volumeMl: ticks,
    tapName: 'left',
  };
  run.add([{ kind: 'drink', key: String(untilMs), order: untilMs, line: 1, data }]);
  for (const _step of run.finish({}));
  return bar.engine.drinks.newest(1)[0]!.id;
};

test('property: an imported glass is of the kegs that were on its tap while it flowed, as others are', () =>
  checkKegsInTime(openEmptyImportBar, [importDrink]));

import fc from 'fast-check';
import { test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, minute } from '../../../engine/bar.ts';
import {
  type Bar,
  checkSessions,
  halfHour,
  now,
  type OtherStep,
} from '../../../engine/drinks/laws/sessions.ts';
import { importsOf, openImportBar } from './import-bar.ts';

const source = { source: 'csv:old', actor: systemActor, calledBy: 'pi' };

function importDrink(bar: Bar, index: number, pourTimeMs: number): unknown {
  const nothing = { kegKey: null, tapName: null, pourId: null, username: null, shout: null };
  const data = { ...nothing, volumeMl: 50, ticks: 0, durationMs: 0, pourTimeMs, timeCertain: true };
  return importsOf(bar)
    .start({ ...source, isFile: true, isDryRun: false }, now)
    .add([{ kind: 'drink', key: `key-${index}`, order: index, line: 0, data }]);
}

function undoImport(bar: Bar): void {
  const undo = importsOf(bar).undo(source, now);
  while (undo.removeDrinks(2) > 0);
  undo.finish();
}

const importStep: fc.Arbitrary<OtherStep> = halfHour.map((time) => ({
  do: 'other',
  name: `import ${time}`,
  take: (bar, index) => importDrink(bar, index, at(time * 30 * minute).wallMs),
}));
const undoStep: fc.Arbitrary<OtherStep> = fc.constant({ do: 'other', name: 'undo', take: undoImport });

test(
  'property: after any imports, their undos and what else happens the sessions are those of the valid drinks',
  () => checkSessions(openImportBar, [importStep, undoStep]),
  240_000,
);

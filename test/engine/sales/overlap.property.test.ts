import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../kit/slow.ts';
import { openSalesBar } from './sales-bar.ts';

const head = 'external_id;check_id;date;time;item_name;quantity;kind\n';

/** Ten lines of a day; every other one has no id of its own. */
const line = fc.record({ id: fc.integer({ min: 0, max: 9 }), isVoid: fc.boolean() });
const file = fc.uniqueArray(line, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });

const toCsv = (lines: readonly { id: number; isVoid: boolean }[]): string =>
  head +
  lines
    .map(
      ({ id, isVoid }) =>
        `${id % 2 === 0 ? id : ''};${id};01.05.2026;20:0${id};Lager;1;${isVoid ? 'void' : 'sale'}\n`,
    )
    .join('');

test('what is stored depends only on which files are imported: not on repetitions, undone ones and, voids apart, overlaps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }),
      async (files, steps) => {
        const bar = openSalesBar();
        const active = new Map<string, number>();
        for (const [index, isUndo] of [...files.map((_, i) => [i, false] as const), ...steps]) {
          const csv = toCsv(files[index % files.length]!);
          const id = active.get(csv);
          if (isUndo && id !== undefined) {
            await bar.undo(id);
            active.delete(csv);
          } else if (!isUndo) {
            const before = bar.rows();
            const { record, isRepeat } = await bar.importCsv(csv);
            expect(isRepeat).toBe(id !== undefined);
            if (isRepeat) expect(bar.rows()).toEqual(before);
            active.set(csv, record.id);
          }
        }
        const fresh = openSalesBar();
        for (const [csv] of [...active].sort(([, one], [, other]) => one - other)) await fresh.importCsv(csv);
        const shown = (rows: ReturnType<typeof bar.rows>) =>
          rows.map(({ key, kind, quantity, timeMs }) => ({ key, kind, quantity, timeMs }));
        expect(shown(bar.rows())).toEqual(shown(fresh.rows()));
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

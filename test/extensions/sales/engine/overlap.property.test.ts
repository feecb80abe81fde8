import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../kit/slow.ts';
import { allTime, genericFormat, openSalesBar } from './sales-bar.ts';

const head = 'external_id;check_id;date;time;item_name;quantity;kind\n';

/** Ten lines of a day; every other one has no id of its own. */
const line = fc.record({ id: fc.integer({ min: 0, max: 9 }), isVoid: fc.boolean() });
const file = fc.uniqueArray(line, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });
/** Files, some of which have all lines of their span. */
const imported = fc.record({ lines: file, isComplete: fc.boolean() });
const toFormat = (isComplete: boolean) => ({ ...genericFormat, isComplete });

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
      fc.array(imported, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }),
      async (files, steps) => {
        const bar = openSalesBar();
        const active = new Map<string, number>();
        for (const [index, isUndo] of [...files.map((_, i) => [i, false] as const), ...steps]) {
          const { lines, isComplete } = files[index % files.length]!;
          const csv = toCsv(lines);
          const key = JSON.stringify([csv, isComplete]);
          const id = active.get(key);
          if (isUndo && id !== undefined) {
            await bar.undo(id);
            active.delete(key);
          } else if (!isUndo) {
            const before = bar.rows();
            const { record, isRepeat } = await bar.importCsv(csv, { format: toFormat(isComplete) });
            expect(isRepeat).toBe(id !== undefined);
            if (isRepeat) expect(bar.rows()).toEqual(before);
            active.set(key, record.id);
            if (isComplete && !isRepeat) {
              // No other line of its span counts.
              const ids = lines.map(({ id: lineId }) => lineId);
              const minutes = bar.rows().map(({ timeMs }) => new Date(timeMs).getUTCMinutes());
              const inSpan = minutes.filter((m) => m >= Math.min(...ids) && m <= Math.max(...ids));
              expect(inSpan.sort()).toEqual(ids.sort());
            }
          }
        }
        const fresh = openSalesBar();
        for (const [key] of [...active].sort(([, one], [, other]) => one - other)) {
          const [csv, isComplete] = JSON.parse(key) as [string, boolean];
          await fresh.importCsv(csv, { format: toFormat(isComplete) });
        }
        const shown = (rows: ReturnType<typeof bar.rows>) =>
          rows.map(({ key, kind, quantity, timeMs }) => ({ key, kind, quantity, timeMs }));
        expect(shown(bar.rows())).toEqual(shown(fresh.rows()));
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

/** Lines of one check, product and minute without an id; negative ones take back others. */
const equalLines = fc.record({
  lines: fc.array(
    fc.record({
      quantity: fc.constantFrom(-2, -1, 1, 2),
      positiveKind: fc.constantFrom('sale', 'comp', 'staff'),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  negativeKind: fc.constantFrom('void', 'refund'),
});
/** Several orders of them, by a number for each line. */
const orders = fc.array(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 3 });

test('lines without an id are the same servings in any order, in however many files', async () => {
  await fc.assert(
    fc.asyncProperty(equalLines, orders, async ({ lines, negativeKind }, ranks) => {
      const rows = lines.map(
        ({ quantity, positiveKind }) =>
          `;7;01.05.2026;20:00;Lager;${quantity};${quantity < 0 ? negativeKind : positiveKind}\n`,
      );
      const bar = openSalesBar();
      for (const rank of ranks) {
        const ordered = rows.map((row, i) => ({ row, rank: rank[i]! })).sort((a, b) => a.rank - b.rank);
        await bar.importCsv(head + ordered.map(({ row }) => row).join(''));
      }
      bar.map('Lager', '', 500);
      const servings = bar.sales.totals(allTime).reduce((sum, total) => sum + total.servings, 0);
      expect(servings).toBe(
        lines.reduce(
          (sum, { quantity }) => sum + (negativeKind === 'refund' ? Math.max(quantity, 0) : quantity),
          0,
        ),
      );
      expect(bar.rows()).toHaveLength(lines.length);
    }),
    { numRuns: propertyRuns(60) },
  );
});

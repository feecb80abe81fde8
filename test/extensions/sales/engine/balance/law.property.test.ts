import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../../../src/core/app-error.ts';
import {
  type BalanceParts,
  differenceUl,
  pouredUl,
  rungUl,
} from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { saleKinds } from '../../../../../src/extensions/sales/core/sale-line.ts';
import { at, minute } from '../../../../engine/bar.ts';
import { insertDrink } from '../../../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../../../kit/slow.ts';
import { openSalesBar } from '../sales-bar.ts';

const row = fc.integer({ min: 1, max: 10 });
const ml = fc.double({ min: 1, max: 900, noNaN: true });

/** Steps that may be refused, such as a correction of a drink that does not exist. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pour' as const), ml, tap: fc.constantFrom(1, 2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ring' as const),
      id: fc.integer({ min: 1, max: 5 }),
      kind: fc.constantFrom(...saleKinds),
      quantity: fc.integer({ min: -3, max: 3 }),
    }),
  },
  fc.record({ do: fc.constant('spill' as const), ml }),
  fc.record({ do: fc.constant('edit' as const), row, ml }),
  fc.record({ do: fc.constant('split' as const), row, ml }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('join' as const), row, otherId: row }),
  fc.record({ do: fc.constant('move' as const), row, kegId: fc.constantFrom(null, 1, 2) }),
  fc.record({ do: fc.constant('undo' as const), row }),
  fc.record({ do: fc.constant('remap' as const), ml: fc.integer({ min: 100, max: 1_000 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function openBalanceBar() {
  const bar = openSalesBar();
  const stout = { name: 'Stout', producerName: 'Brewery', styleName: '' };
  bar.engine.kegs.start(bar.right.id, { beverage: stout, sizeKey: 'euro-30-liter' }, at(0));
  const shifts = [
    { name: 'Day', startsMinutes: 10 * 60 },
    { name: 'Night', startsMinutes: 18 * 60 + 13 },
  ];
  bar.engine.reports.changeSettings({ shifts }, { userId: null, via: 'console' }, at(0));
  return bar;
}

function run(bar: ReturnType<typeof openBalanceBar>, input: Step, now: ReturnType<typeof at>) {
  const { engine, store, sales, till, left, right } = bar;
  const context = { actor: { userId: null, via: 'console' }, now } as const;
  switch (input.do) {
    case 'pour':
      insertDrink(store, { tap: input.tap === 1 ? left.id : right.id, ticks: 100, volumeMl: input.ml }, now);
      return;
    case 'ring':
      sales.api.receive(
        till.name,
        {
          timeMeaning: 'ring',
          lines: [
            {
              externalId: String(input.id),
              checkId: '',
              timeMs: now.wallMs,
              itemKey: 'lager',
              itemName: 'Lager',
              variant: '',
              category: 'Draught',
              kind: input.kind,
              quantity: input.quantity,
              grossMinor: 400 * input.quantity,
              discountMinor: null,
              netMinor: null,
            },
          ],
        },
        context,
      );
      return;
    case 'spill':
      engine.kegs.spill(1, input.ml, now);
      return;
    case 'edit':
      engine.drinks.edit(input.row, { volumeMl: input.ml }, now);
      return;
    case 'split':
      engine.drinks.split(input.row, { volumeMl: input.ml }, now);
      return;
    case 'cancel':
      engine.drinks.cancel(input.row, { spilled: input.spilled }, now);
      return;
    case 'join':
      engine.drinks.join(input.row, { otherId: input.otherId }, now);
      return;
    case 'move':
      engine.drinks.move(input.row, { kegId: input.kegId }, now);
      return;
    case 'undo':
      engine.drinks.undo(input.row, {}, now);
      return;
    case 'remap':
      if (sales.tills.items(till.id).length > 0) bar.map('Lager', '', input.ml);
  }
}

/** What was rung up, from the steps alone: of each line its last version, with the last mapping. */
function rungOf(done: readonly Step[]): number {
  const lines = new Map(done.flatMap((input) => (input.do === 'ring' ? [[input.id, input] as const] : [])));
  const first = done.findIndex((input) => input.do === 'ring');
  const mapping = done.findLast((input, i) => input.do === 'remap' && first >= 0 && i > first);
  if (mapping?.do !== 'remap') return 0;
  const poured = [...lines.values()].map(({ kind, quantity }) =>
    kind === 'training'
      ? 0
      : kind === 'void'
        ? Math.min(quantity, 0)
        : kind === 'refund'
          ? Math.max(quantity, 0)
          : quantity,
  );
  return poured.reduce((sum, quantity) => sum + quantity * mapping.ml * 1_000, 0);
}

test('poured is sold, the difference and the named parts, exactly, after every correction', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const bar = openBalanceBar();
      const done: Step[] = [];
      steps.forEach((input, i) => {
        const now = at((i + 1) * 2 * minute);
        try {
          run(bar, input, now);
          done.push(input);
        } catch (fault) {
          if (!(fault instanceof AppError)) throw fault;
        }
        const { beverages, withoutBeverageUl, days, shifts, clockHours } = bar.engine.balances.span(
          { first: '2026-04-30', last: '2026-05-03' },
          now,
        );
        for (const { balance } of beverages)
          expect(
            rungUl(balance) +
              balance.spilledUl +
              balance.cleaningUl +
              balance.dripsUl +
              differenceUl(balance),
          ).toBe(pouredUl(balance));
        const total = (read: (one: (typeof beverages)[number]['balance']) => number) =>
          beverages.reduce((sum, { balance }) => sum + read(balance), 0);
        // The daily report sums up the same rows in SQL.
        const report = bar.engine.reports.span({ first: '2026-04-30', last: '2026-05-03' }, now);
        const rows = report.drinks + report.spills;
        expect(
          Math.abs(total(pouredUl) + withoutBeverageUl - (report.pouredMl + report.spilledMl) * 1_000),
        ).toBeLessThanOrEqual(rows);
        expect(total(({ spilledUl }) => spilledUl)).toBeCloseTo(report.spilledMl * 1_000, -1);
        expect(total(rungUl)).toBe(rungOf(done));
        const compared = beverages.filter(({ isCompared }) => isCompared);
        const sumOf = (parts: readonly { readonly balance: BalanceParts }[]) =>
          parts.reduce((sum, { balance }) => sum + differenceUl(balance), 0);
        for (const parts of [days, shifts, clockHours]) expect(sumOf(parts)).toBe(sumOf(compared));
      });
    }),
    { numRuns: propertyRuns(120) },
  );
});

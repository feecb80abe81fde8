import { describe, expect, test } from 'vitest';
import { differenceUl, pouredUl } from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { toVerdict } from '../../../../../src/extensions/sales/core/balance/verdict.ts';
import { at, hour, minute } from '../../../../engine/bar.ts';
import { insertDrink } from '../../../../kit/drinks/insert-drink.ts';
import { openRungBar } from './rung-bar.ts';

const dayMs = 24 * hour;
const context = (afterMs: number) => ({ actor: { userId: null, via: 'console' as const }, now: at(afterMs) });
const june = at(35 * dayMs);

describe('poured against sold', () => {
  test('compares each beverage by business day, week and month', () => {
    const { balances, pour, ring, left } = openRungBar({ poured: 60 });
    for (let i = 0; i < 10; i += 1) {
      pour(left.id, 4 * dayMs + (i + 1) * minute);
      ring(4 * dayMs + (i + 1) * minute);
    }
    const month = balances.month('2026-05', june);
    expect(month).toMatchObject({
      first: '2026-05-01',
      last: '2026-05-31',
      isOver: true,
      closed: null,
      lines: 50,
    });
    expect(toVerdict(month.total)).toMatchObject({
      kind: 'poured_not_rung',
      volumeMl: 10_000,
      servings: 20,
      valueMinor: 8_000,
    });
    expect(month.days.map(({ first, balance }) => [first, differenceUl(balance)]).slice(0, 5)).toEqual([
      ['2026-05-01', 10_000_000],
      ['2026-05-02', 0],
      ['2026-05-03', 0],
      ['2026-05-04', 0],
      ['2026-05-05', 0],
    ]);
    // 1 May is a Friday.
    expect(month.weeks.map(({ first, last }) => [first, last])).toEqual([
      ['2026-05-01', '2026-05-03'],
      ['2026-05-04', '2026-05-10'],
      ['2026-05-11', '2026-05-17'],
      ['2026-05-18', '2026-05-24'],
      ['2026-05-25', '2026-05-31'],
    ]);
    expect(month.weeks.map(({ balance }) => pouredUl(balance))).toEqual([30_000_000, 5_000_000, 0, 0, 0]);
  });

  test('a pour after midnight belongs to the business day before, as its line', () => {
    const { balances, pour, ring, left } = openRungBar({ poured: 0, sold: 1 });
    pour(left.id, minute);
    pour(left.id, 8 * hour);
    ring(8 * hour);
    const [first, second] = balances.span({ first: '2026-05-01', last: '2026-05-02' }, june).days;
    expect(pouredUl(first!.balance)).toBe(1_000_000);
    expect(differenceUl(first!.balance)).toBe(0);
    expect(pouredUl(second!.balance)).toBe(0);
  });

  test('is by shift and by hour of the day, by the clock of the pours', () => {
    const { balances, engine, pour, left, keg } = openRungBar({ poured: 0, sold: 1 });
    engine.reports.changeSettings(
      {
        shifts: [
          { name: 'Day', startsMinutes: 10 * 60 },
          { name: 'Night', startsMinutes: 20 * 60 },
        ],
      },
      { userId: null, via: 'console' },
      at(0),
    );
    // Opened at 18:00; the line was rung up at 18:01.
    for (const after of [minute, hour + minute, 2 * hour + minute, 7 * hour + minute]) pour(left.id, after);
    engine.kegs.spill(keg.id, 300, at(3 * hour));
    const month = balances.month('2026-05', june);
    expect(month.shifts.map(({ name, balance }) => [name, pouredUl(balance), differenceUl(balance)])).toEqual(
      [
        ['Day', 1_000_000, 500_000],
        ['Night', 1_300_000, 1_000_000],
      ],
    );
    expect(month.clockHours.map(({ hour: of, balance }) => [of, differenceUl(balance)])).toEqual([
      [18, 0],
      [19, 500_000],
      [20, 500_000],
      [21, 0],
      [1, 500_000],
    ]);
    // Each of 31 days cuts a serving at both ends of the shift.
    const cut = (balance: typeof month.total) => balance.cutoffMl2;
    expect(month.shifts.map(({ balance }) => cut(balance))).toEqual([62 * cut(month.total), 0]);
  });

  test('is by tap where one tap alone had the beverage', () => {
    const { balances, pour, left, right, engine, keg } = openRungBar({ poured: 5 });
    expect(balances.month('2026-05', june).taps).toMatchObject([{ tapId: left.id, name: 'Left' }]);
    engine.kegs.start(right.id, { beverage: { id: keg.beverageId }, sizeKey: 'euro-30-liter' }, at(hour));
    pour(right.id, 2 * hour);
    const month = balances.month('2026-05', june);
    expect(month.taps).toEqual([]);
    expect(month.beverages).toMatchObject([{ tapId: null, name: 'Lager' }]);
  });

  test('leaves out of the total what the till does not sell, and says so', () => {
    const { balances, pour, right, engine } = openRungBar();
    engine.kegs.start(
      right.id,
      { beverage: { name: 'Stout', producerName: 'B', styleName: '' }, sizeKey: 'euro-30-liter' },
      at(0),
    );
    for (let i = 0; i < 5; i += 1) pour(right.id, hour + i * minute);
    const month = balances.month('2026-05', june);
    expect(month.beverages.map(({ name, isCompared }) => [name, isCompared])).toEqual([
      ['Lager', true],
      ['Stout', false],
    ]);
    expect(pouredUl(month.total)).toBe(20_000_000);
    expect(month.findings).toMatchObject([{ kind: 'not_sold', size: { volumeMl: 2_500 } }]);
  });

  test('of lines of products that nobody assigned says that nothing was compared, and what to assign', () => {
    const { balances, ring } = openRungBar({ poured: 5, sold: 0 });
    for (const item of ['No 7', 'Soup']) ring(minute, { item, id: item });
    const { total, findings, otherUnmapped } = balances.month('2026-05', june);
    expect(toVerdict(total).kind).toBe('not_compared');
    expect(findings.map(({ kind }) => kind)).toEqual(['unmapped', 'unmapped', 'not_sold']);
    expect(otherUnmapped).toBe(0);
  });

  test('puts a button that nobody mapped first, with what its name says', () => {
    const { balances, ring } = openRungBar({ poured: 60 });
    for (let i = 0; i < 20; i += 1) ring(hour + i * minute, { item: 'Lager Pint', id: `pint-${i}` });
    ring(hour, { item: 'Soup', id: 'soup' });
    const { findings, otherUnmapped } = balances.month('2026-05', june);
    expect(findings[0]).toMatchObject({ kind: 'unmapped', lines: 20, quantity: 20, netMinor: 8_000 });
    expect(findings[0]).toMatchObject({ size: { volumeMl: expect.closeTo(20 * 473.176473, 3) } });
    expect(otherUnmapped).toBe(0);
  });

  test('of merged beverages compares all they poured with all they sold, and of both again after the undo', () => {
    const { balances, engine, keg } = openRungBar();
    engine.kegs.spill(keg.id, 1_500, at(2 * hour));
    const producerId = engine.kegs.catalogue.beverage(keg.beverageId)!.producer.id;
    const kept = engine.kegs.catalogue.addBeverage({ name: 'Lager Hell', producerId }, context(dayMs));
    const shown = () =>
      balances.month('2026-05', june).beverages.map(({ name, balance }) => ({
        name,
        poured: pouredUl(balance),
        spilled: balance.spilledUl,
        difference: differenceUl(balance),
      }));
    const lager = { name: 'Lager', poured: 21_500_000, spilled: 1_500_000, difference: 0 };
    expect(shown()).toEqual([lager]);
    const ids = { keptId: kept.id, removedId: keg.beverageId };
    const merge = engine.kegs.merges.mergeBeverages(ids, context(20 * dayMs));
    expect(shown()).toEqual([{ ...lager, name: 'Lager Hell' }]);
    engine.kegs.merges.undo(merge, context(21 * dayMs));
    expect(shown()).toEqual([lager]);
  });

  test.each(['device', 'post', 'manual'] as const)(
    'of glasses that hold more than sold, all rung up, accuses nobody where the volumes are given (%s)',
    (source) => {
      const { balances, store, left, ring } = openRungBar({ poured: 0, sold: 1 });
      for (let i = 0; i < 100; i += 1) {
        insertDrink(store, { tap: left.id, ticks: 0, volumeMl: 525, source }, at(hour + i * minute));
        if (i > 0) ring(hour + i * minute);
      }
      const { total, findings } = balances.month('2026-05', june);
      expect(toVerdict(total)).toMatchObject({ kind: 'agrees', volumeMl: 2_500 });
      expect(findings).toEqual([]);
    },
  );

  test('counts spills and held pours beside the difference', () => {
    const { balances, engine, store, keg } = openRungBar();
    engine.kegs.spill(keg.id, 1_500, at(2 * hour));
    insertDrink(store, { ticks: 30_000, heldReason: 'impossible_flow' }, at(3 * hour));
    const { total, findings } = balances.month('2026-05', june);
    expect(total).toMatchObject({ spilledUl: 1_500_000, heldUl: 30_000_000, held: 1 });
    expect(differenceUl(total)).toBe(0);
    expect(findings).toMatchObject([{ kind: 'held', pours: 1 }]);
  });

  test('refuses more than 92 days and months that do not exist', () => {
    const { balances } = openRungBar({ poured: 0, sold: 0 });
    expect(() => balances.span({ first: '2026-01-01', last: '2026-05-01' }, june)).toThrow(/at most 91 days/);
    for (const month of ['2026-13', '2026-5', 'May', '9999-12'])
      expect(() => balances.month(month, june)).toThrow(/existing month/);
  });

  test('of a bar without a till and of one without pours says nothing', () => {
    const { balances } = openRungBar({ poured: 5, sold: 0 });
    const month = balances.month('2026-05', june);
    expect(month.lines).toBe(0);
    expect(pouredUl(month.total)).toBe(0);
    expect(openRungBar({ poured: 0 }).balances.month('2026-05', june).findings).toMatchObject([
      { kind: 'not_poured_at_all' },
    ]);
  });
});

describe('a closed month', () => {
  test('is frozen; what is corrected later is shown as a correction', () => {
    const { balances, engine, ring } = openRungBar({ poured: 60 });
    const closed = balances.closeMonth('2026-05', context(35 * dayMs));
    expect(closed.closed).toMatchObject({ closedMs: june.wallMs, corrections: [] });
    expect(closed.closed?.total.verdict).toMatchObject({ kind: 'poured_not_rung', volumeMl: 10_000 });
    engine.drinks.cancel(1, { spilled: false }, at(36 * dayMs));
    ring(50 * minute, { id: 'late' });
    const later = balances.month('2026-05', at(37 * dayMs));
    expect(differenceUl(later.total)).toBe(9_000_000);
    expect(later.closed?.total.verdict.volumeMl).toBe(10_000);
    expect(later.closed?.corrections).toEqual([
      {
        beverageId: 1,
        name: 'Lager',
        changes: { pouredUl: -500_000, rungUl: 500_000, differenceUl: -1_000_000 },
      },
    ]);
  });

  test('keeps its currency, its beverage with most of the difference and its hours, without any sales', async () => {
    const { balances, engine, sales, undo } = openRungBar({ poured: 60 });
    const before = balances.month('2026-05', june);
    balances.closeMonth('2026-05', context(35 * dayMs));
    for (const { id } of sales.imports.list({}).items) await undo(id);
    engine.reports.changeSettings({ currency: 'JPY' }, context(0).actor, at(36 * dayMs));
    const later = balances.month('2026-05', at(37 * dayMs));
    expect(later).toMatchObject({ lines: 0, mostBeverageId: null, currency: 'JPY' });
    expect(before.mostBeverageId).toBe(1);
    const { currency, mostBeverageId, when } = before;
    expect(later.closed).toMatchObject({ currency, mostBeverageId, when });
  });

  test('cannot be closed twice or before it is over, and can be opened again', () => {
    const { balances, engine } = openRungBar();
    expect(() => balances.closeMonth('2026-05', context(dayMs))).toThrow(/not over/);
    balances.closeMonth('2026-05', context(35 * dayMs));
    expect(() => balances.closeMonth('2026-05', context(35 * dayMs))).toThrow(/closed already/);
    expect(balances.reopenMonth('2026-05', context(36 * dayMs)).closed).toBeNull();
    expect(() => balances.reopenMonth('2026-05', context(36 * dayMs))).toThrow(/not closed/);
    expect(
      engine.audit.list({ subject: { kind: 'month', id: '2026-05' } }).items.map(({ action }) => action),
    ).toEqual(['month.reopened', 'month.closed']);
  });
});

describe('the mail of a month', () => {
  const mailed = (bar: ReturnType<typeof openRungBar>) =>
    bar.engine.notifications.outbox
      .list({ state: 'waiting' })
      .items.filter(({ topic }) => topic === 'month_balance');
  function openMailingBar(rung: Parameters<typeof openRungBar>[0]) {
    const bar = openRungBar(rung);
    const { store, engine } = bar;
    store.notifications.mailSettings.write({
      ...store.notifications.mailSettings.read(),
      host: 'mail.example',
      fromAddress: 'bar@example.org',
    });
    const anna = engine.users.addUser({ username: 'anna', email: 'anna@example.org', isStaff: true }, at(0));
    store.reports.setReader(anna.id, true);
    return bar;
  }

  test('goes once to the readers of the daily report, half a day after the month', () => {
    const bar = openMailingBar({ poured: 60, sold: 40 });
    bar.balances.mailMonthWhenDue(at(30 * dayMs));
    bar.balances.mailMonthWhenDue(june);
    bar.balances.mailMonthWhenDue(at(36 * dayMs));
    expect(mailed(bar)).toHaveLength(1);
    const payload = mailed(bar).map(({ id }) => JSON.parse(bar.store.notifications.outbox.byId(id)!.payload));
    expect(payload).toMatchObject([{ month: '2026-05', kind: 'poured_not_rung', beverage: 'Lager' }]);
  });

  test('is not sent for a month without sales, nor before the clock is set', () => {
    const silent = openMailingBar({ poured: 60, sold: 0 });
    silent.balances.mailMonthWhenDue(june);
    expect(mailed(silent)).toEqual([]);
    const unset = openMailingBar({ poured: 60, sold: 40 });
    unset.balances.mailMonthWhenDue({ ...june, synced: false });
    expect(mailed(unset)).toEqual([]);
  });
});

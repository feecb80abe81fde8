import { expect, test, vi } from 'vitest';
import { systemActor } from '../../../../../src/engine/shared/audit.ts';
import { rungUl } from '../../../../../src/extensions/sales/core/balance/balance.ts';
import { fromUl, toUl } from '../../../../../src/extensions/sales/core/balance/facts.ts';
import { at, hour, minute, openingMs } from '../../../../engine/bar.ts';
import { insertDrink } from '../../../../kit/drinks/insert-drink.ts';
import { formatOf, openSalesBar, sample } from '../sales-bar.ts';

const dayMs = 24 * hour;
const reason = 'Agreed with all staff on 1 May 2026.';
const by = (afterMs = 0) => ({ actor: systemActor, now: at(afterMs) });
const off = expect.objectContaining({
  code: 'conflict',
  reason: expect.objectContaining({ name: 'by_person_off' }),
});

function openPersonBar() {
  const bar = openSalesBar();
  const { engine, store, sales, till, left } = bar;
  engine.users.addUser({ username: 'anna', isStaff: true }, at(0));
  engine.users.addUser({ username: 'gustav' }, at(0));
  engine.users.addUser({ username: 'nora', isStaff: true }, at(0));
  const ring = (afterMs: number, more: { seller?: string; kind?: 'sale' | 'void'; id?: string } = {}) =>
    sales.api.receive(
      till.name,
      {
        timeMeaning: 'ring',
        lines: [
          {
            externalId: more.id ?? `line-${afterMs}`,
            checkId: '',
            timeMs: openingMs + afterMs,
            itemKey: 'Lager',
            itemName: 'Lager',
            variant: '',
            category: 'Draught',
            kind: more.kind ?? 'sale',
            quantity: 1,
            grossMinor: 400,
            discountMinor: 0,
            netMinor: 400,
            ...(more.seller !== undefined && { seller: more.seller }),
          },
        ],
      },
      by(afterMs),
    );
  const pour = (username: string, afterMs: number) =>
    insertDrink(store, { tap: left.id, ticks: 500, volumeMl: 500, username }, at(afterMs));
  const { personBalances } = engine;
  return {
    ...bar,
    ring,
    pour,
    personBalances,
    turnOn: () => personBalances.turnOn({ reason }, by()),
    view: (afterMs = hour) => personBalances.view({ first: '2026-05-01', last: '2026-05-01' }, by(afterMs)),
    sellers: () => sales.lines({}).items.map(({ seller }) => seller),
    actions: () => engine.audit.list({ limit: 100 }).items.map(({ action }) => action),
  };
}

test('without a reason of the site nothing is shown by person, and no name is kept', () => {
  const { personBalances, ring, view, sellers } = openPersonBar();
  expect(personBalances.settings()).toEqual({ reason: null, sinceMs: null, days: 92 });
  ring(minute, { seller: 'Anna' });
  expect(sellers()).toEqual([null]);
  expect(() => view()).toThrow(off);
});

test('who rang up and who poured are one person where their names are equal, with what each took back', () => {
  const { turnOn, ring, pour, map, view } = openPersonBar();
  turnOn();
  for (let i = 1; i <= 6; i += 1) ring(i * minute, { seller: 'Anna' });
  ring(7 * minute, { seller: 'Bert' });
  ring(8 * minute, { seller: 'Bert', kind: 'void' });
  ring(9 * minute);
  map('Lager', '', 500);
  for (let i = 1; i <= 20; i += 1) pour('anna', i * minute);
  pour('gustav', 30 * minute);
  const { persons, unnamed, reason: shown } = view();
  expect(shown).toBe(reason);
  expect(
    persons.map(({ name, username, balance, voidLines }) => [
      name,
      username,
      balance.drinks,
      fromUl(rungUl(balance)),
      voidLines,
    ]),
  ).toEqual([
    ['Anna', 'anna', 20, 3_000, 0],
    ['Bert', null, 0, 500, 1],
  ]);
  expect(unnamed.soldUl).toBe(toUl(500));
});

test('persons and the lines without a name add up to all that was sold', () => {
  const { turnOn, ring, pour, map, view, engine } = openPersonBar();
  turnOn();
  // A beverage that nobody poured is not compared.
  pour('anna', minute);
  for (let i = 1; i <= 9; i += 1)
    ring(i * minute, i % 3 === 0 ? {} : { seller: i % 2 === 0 ? 'Anna' : 'Bert' });
  map('Lager', '', 400);
  const { persons, unnamed } = view();
  const sum = [...persons.map(({ balance }) => balance), unnamed].reduce((ul, one) => ul + one.soldUl, 0);
  expect(sum).toBe(engine.balances.span({ first: '2026-05-01', last: '2026-05-01' }, at(hour)).total.soldUl);
});

test('turning on, each view once an hour, and turning off are in the audit log with the reason', () => {
  const { turnOn, view, personBalances, actions, engine } = openPersonBar();
  turnOn();
  view(hour);
  view(hour + minute);
  view(2 * hour + minute);
  personBalances.turnOff(by(3 * hour));
  expect(actions().filter((action) => action.startsWith('sales.by_person'))).toEqual([
    'sales.by_person_off',
    'sales.by_person_viewed',
    'sales.by_person_viewed',
    'sales.by_person_on',
  ]);
  const on = engine.audit.list({ limit: 100 }).items.find(({ action }) => action === 'sales.by_person_on');
  expect(JSON.stringify(on?.after)).toContain(reason);
});

test('a view that cannot be written to the audit log shows nothing, and is written the next time', () => {
  const { turnOn, view, actions, store } = openPersonBar();
  turnOn();
  const failing = vi.spyOn(store.reports.audit, 'add').mockImplementationOnce(() => {
    throw new Error('The disk is gone.');
  });
  expect(() => view(hour)).toThrow('The disk is gone.');
  failing.mockRestore();
  view(hour + minute);
  expect(actions()).toContain('sales.by_person_viewed');
});

test('turning it off removes all names, and they do not come back', () => {
  const { turnOn, ring, personBalances, sellers, view } = openPersonBar();
  turnOn();
  ring(minute, { seller: 'Anna' });
  expect(sellers()).toEqual(['Anna']);
  personBalances.turnOff(by(hour));
  expect(sellers()).toEqual([null]);
  expect(() => view()).toThrow(off);
  turnOn();
  expect(view(2 * hour).persons).toEqual([]);
});

test('names are removed after the days for which they are kept, once the clock is set', () => {
  const { ring, personBalances, sellers, engine } = openPersonBar();
  personBalances.turnOn({ reason, days: 7 }, by());
  ring(minute, { seller: 'Anna' });
  ring(2 * dayMs, { seller: 'Bert' });
  engine.site.oldRecords.remove(at(8 * dayMs, { synced: false }));
  expect(sellers()).toEqual(['Bert', 'Anna']);
  engine.site.oldRecords.remove(at(8 * dayMs));
  expect(sellers()).toEqual(['Bert', null]);
});

test('a line that comes again with its name is known, and gets the name', () => {
  const { turnOn, ring, sellers } = openPersonBar();
  ring(minute);
  turnOn();
  expect(ring(minute, { seller: 'Anna' })).toMatchObject({ knownLines: 1, changedLines: 0 });
  expect(sellers()).toEqual(['Anna']);
});

test('the column of the seller is read only while it is on', async () => {
  const { turnOn, importCsv, sellers } = openPersonBar();
  const toast = sample('toast-item-selection-details.csv');
  const format = formatOf('toast', { timeZone: 'America/New_York' });
  await importCsv(toast, { format });
  expect(new Set(sellers())).toEqual(new Set([null]));
  turnOn();
  await importCsv(Buffer.concat([toast, Buffer.from('\n')]), { format });
  expect(sellers()).toContain('Anna Example');
});

test('the name of an erased person is removed from the lines', () => {
  const { turnOn, ring, sellers, engine } = openPersonBar();
  turnOn();
  ring(minute, { seller: 'ANNA' });
  ring(2 * minute, { seller: 'Bert' });
  engine.users.personalData.erase('anna', systemActor, at(hour));
  for (let step = 0; step < 50; step += 1) engine.users.personalData.continueErasure();
  expect(sellers()).toEqual(['Bert', null]);
});

test.each([
  ['a reason of a few letters', { reason: 'because' }],
  ['a reason that is a book', { reason: 'x'.repeat(501) }],
  ['names kept for ever', { reason, days: 4_000 }],
])('%s is refused', (_what, request) => {
  const { personBalances } = openPersonBar();
  expect(() => personBalances.turnOn(request, by())).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
  expect(personBalances.settings().reason).toBeNull();
});

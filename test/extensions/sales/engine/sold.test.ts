import { describe, expect, test } from 'vitest';
import { allTime, context, openSalesBar, sample } from './sales-bar.ts';

const head = 'external_id;date;time;item_name;variant;category;quantity;net;kind\n';
const csv = (...lines: readonly string[]): string => head + lines.map((line) => `${line}\n`).join('');

describe('what was sold', () => {
  test('is missing until a product is mapped, and follows also for the past', async () => {
    const { importCsv, map, sales, beverageId } = openSalesBar();
    await importCsv(sample('generic.csv'));
    expect(sales.totals(allTime)).toEqual([]);
    expect(sales.unmapped(allTime).map(({ lines, quantity }) => [lines, quantity])).toEqual([
      [3, 3],
      [1, 3],
      [1, 1],
    ]);
    map('Lager', '0.5 L', 500);
    expect(sales.totals(allTime)).toEqual([
      {
        beverageId,
        sizeId: null,
        liquidMl: 500,
        kind: 'comp',
        lines: 1,
        servings: 1,
        volumeMl: 500,
        netMinor: 0,
        isTaxKnown: true,
      },
      {
        beverageId,
        sizeId: null,
        liquidMl: 500,
        kind: 'sale',
        lines: 1,
        servings: 2,
        volumeMl: 1_000,
        netMinor: 960,
        isTaxKnown: true,
      },
      {
        beverageId,
        sizeId: null,
        liquidMl: 500,
        kind: 'void',
        lines: 1,
        servings: 0,
        volumeMl: 0,
        netMinor: 0,
        isTaxKnown: true,
      },
    ]);
    expect(sales.unmapped(allTime)).toHaveLength(2);
  });

  test('is less by a void of its own line, not by a refund, and training is nothing', async () => {
    const { importCsv, map, sales } = openSalesBar();
    await importCsv(
      csv(
        '1;01.05.2026;20:00;Lager;;;3;14,40;sale',
        '2;01.05.2026;20:01;Lager;;;-1;-4,80;void',
        '3;01.05.2026;20:02;Lager;;;-1;-4,80;refund',
        '4;01.05.2026;20:03;Lager;;;9;43,20;training',
      ),
    );
    map('Lager', '', 400);
    const totals = sales.totals(allTime);
    expect(totals.map(({ kind, servings, netMinor }) => [kind, servings, netMinor])).toEqual([
      ['refund', 0, -480],
      ['sale', 3, 1_440],
      ['void', -1, -480],
    ]);
    expect(totals.reduce((sum, { volumeMl }) => sum + volumeMl, 0)).toBe(800);
  });

  test('of a line that is sent again as refunded stays poured, and is not paid', () => {
    const { map, sales, till } = openSalesBar();
    const line = {
      externalId: '4711',
      checkId: '',
      timeMs: context.now.wallMs,
      itemKey: '',
      itemName: 'Lager',
      variant: 'Pint',
      category: '',
      kind: 'sale' as const,
      quantity: 2,
      grossMinor: null,
      discountMinor: null,
      netMinor: 1_600,
    };
    const send = (kind: 'sale' | 'refund') =>
      sales.api.receive(till.name, { lines: [{ ...line, kind }], timeMeaning: 'ring' }, context);
    send('sale');
    map('Lager', 'Pint', 500);
    expect(sales.totals(allTime)).toMatchObject([{ kind: 'sale', servings: 2, netMinor: 1_600 }]);
    send('refund');
    expect(sales.totals(allTime)).toMatchObject([
      { kind: 'refund', servings: 2, volumeMl: 1_000, netMinor: 0 },
    ]);
  });

  test('for nothing is poured and not paid, whatever the till writes as its price', async () => {
    const { importCsv, map, sales } = openSalesBar();
    const kinds = ['sale', 'comp', 'staff', 'sample'];
    await importCsv(csv(...kinds.map((kind, i) => `${i};01.05.2026;20:0${i};Lager;;;2;9,60;${kind}`)));
    map('Lager', '', 400);
    expect(sales.totals(allTime).map(({ kind, servings, netMinor }) => [kind, servings, netMinor])).toEqual([
      ['comp', 2, 0],
      ['sale', 2, 960],
      ['sample', 2, 0],
      ['staff', 2, 0],
    ]);
  });

  test('of a product that is not mapped is poured and paid by the same rules', async () => {
    const { importCsv, map, sales } = openSalesBar();
    await importCsv(
      csv(
        '1;01.05.2026;20:00;Lager;;;5;24,00;sale',
        '2;01.05.2026;20:01;Lager;;;-1;-4,80;void',
        '3;01.05.2026;20:02;Lager;;;3;14,40;void',
        '4;01.05.2026;20:03;Lager;;;-1;-4,80;refund',
        '5;01.05.2026;20:04;Lager;;;1;4,80;refund',
        '6;01.05.2026;20:05;Lager;;;1;4,80;comp',
        '7;01.05.2026;20:06;Lager;;;9;43,20;training',
      ),
    );
    const [unmapped] = sales.unmapped(allTime);
    expect(unmapped).toMatchObject({ lines: 6, quantity: 6, netMinor: 1_440 });
    map('Lager', '', 400);
    const totals = sales.totals(allTime);
    const sum = (read: (total: (typeof totals)[number]) => number) =>
      totals.reduce((all, total) => all + read(total), 0);
    expect([sum(({ servings }) => servings), sum(({ netMinor }) => netMinor)]).toEqual([6, 1_440]);
  });

  test('of a button follows the beer that it sold at the time', async () => {
    const { importCsv, map, sales, engine, right } = openSalesBar();
    const stout = engine.kegs.start(
      right.id,
      { beverage: { name: 'Stout', producerName: 'B', styleName: 'S' }, sizeKey: 'euro-30-liter' },
      context.now,
    );
    await importCsv(csv('1;01.05.2026;20:00;Guest beer;;;1;5;', '2;02.05.2026;20:00;Guest beer;;;1;5;'));
    const item = map('Guest beer', '', 300);
    const components = [{ beverageId: stout.beverageId, sizeId: null, count: 1, liquidMl: 300 }];
    sales.tills.mapItem(item.id, { components, sinceMs: Date.UTC(2026, 4, 2) }, context);
    expect(sales.soldLines(allTime).map(({ beverageId, volumeMl }) => [beverageId, volumeMl])).toEqual([
      [item.mappings[0]!.components[0]!.beverageId, 300],
      [stout.beverageId, 300],
    ]);
  });

  test('of a flight is divided among its beers, with its price by volume', async () => {
    const { importCsv, map, sales, beverageId } = openSalesBar();
    await importCsv(csv('1;01.05.2026;20:00;Flight;;;2;20,00;'));
    const item = map('Flight', '', 100);
    const part = { beverageId, sizeId: null, count: 1 };
    sales.tills.mapItem(
      item.id,
      {
        components: [
          { ...part, count: 3, liquidMl: 100 },
          { ...part, liquidMl: 200 },
        ],
      },
      context,
    );
    expect(
      sales
        .totals(allTime)
        .map(({ liquidMl, servings, volumeMl, netMinor }) => [liquidMl, servings, volumeMl, netMinor]),
    ).toEqual([
      [100, 6, 600, 1_200],
      [200, 2, 400, 800],
    ]);
  });

  test('by a serving size holds the beer of that serving, also when it is changed later', async () => {
    const { importCsv, map, sales, beverageId, sizes } = openSalesBar();
    await importCsv(csv('1;01.05.2026;20:00;Lager;Pint;;1;8;'));
    const size = sizes.at(-1)!;
    const item = map('Lager', 'Pint', 1);
    const components = [{ beverageId, sizeId: size.id, count: 1, liquidMl: null }];
    sales.tills.mapItem(item.id, { components }, context);
    expect(sales.totals(allTime)).toMatchObject([{ sizeId: size.id, liquidMl: size.volumeMl }]);
    const serving = { sizeId: size.id, liquidMl: 429, taxBasisPoints: 1_900, codes: [] };
    sales.servings.setOfBeverage(beverageId, [serving], context);
    expect(sales.totals(allTime)).toMatchObject([{ liquidMl: 429, volumeMl: 429 }]);
  });

  test('stays as it was when a serving size is deleted, and after the undo', async () => {
    const { importCsv, map, sales, engine, beverageId, sizes } = openSalesBar();
    await importCsv(csv('1;01.05.2026;20:00;Flight;;;2;16;'));
    const [kept, deleted] = [sizes[0]!, sizes.at(-1)!];
    const part = { beverageId, count: 1, liquidMl: null };
    const flight = [
      { ...part, sizeId: kept.id },
      { ...part, sizeId: deleted.id },
    ];
    const { id } = sales.tills.mapItem(map('Flight', '', 1).id, { components: flight }, context);
    const serving = { sizeId: deleted.id, liquidMl: 429, taxBasisPoints: 1_900, codes: [] };
    sales.servings.setOfBeverage(beverageId, [serving], context);
    const shown = () =>
      sales.soldLines(allTime).map(({ liquidMl, volumeMl, netMinor }) => [liquidMl, volumeMl, netMinor]);
    const components = () => sales.tills.item(id).mappings[0]!.components;
    const before = { shown: shown(), components: components() };
    expect(before.shown[1]!.slice(0, 2)).toEqual([429, 858]);
    const { correctionId } = engine.kegs.prices.setServingSizes(
      sizes.filter((size) => size.id !== deleted.id),
      context,
    );
    expect(components()).toMatchObject([{ sizeId: kept.id }, { sizeId: null, liquidMl: 429 }]);
    expect(shown()).toEqual(before.shown);
    engine.corrections.undo(correctionId!, context, context.now);
    expect({ shown: shown(), components: components() }).toEqual(before);
  });

  test('keeps what a product was mapped to since, when the deletion of a size is undone', async () => {
    const { importCsv, map, sales, engine, beverageId, sizes } = openSalesBar();
    await importCsv(csv('1;01.05.2026;20:00;Lager;;;1;5;'));
    const size = sizes.at(-1)!;
    const components = [{ beverageId, sizeId: size.id, count: 1, liquidMl: null }];
    const { id } = sales.tills.mapItem(map('Lager', '', 1).id, { components }, context);
    const removal = engine.kegs.prices.setServingSizes(sizes.slice(0, -1), context);
    map('Lager', '', 300);
    engine.corrections.undo(removal.correctionId!, context, context.now);
    expect(sales.tills.item(id).mappings[0]!.components).toMatchObject([{ sizeId: null, liquidMl: 300 }]);
    const added = engine.kegs.prices.setServingSizes(
      [...sizes, { id: null, volumeMl: 777, name: 'Stein', names: {} }],
      context,
    );
    const stein = { ...components[0]!, sizeId: added.result.at(-1)!.id };
    sales.tills.mapItem(id, { components: [stein] }, context);
    expect(() => engine.corrections.undo(added.correctionId!, context, context.now)).toThrow(
      /changed again since/,
    );
  });

  test('stays with the beverage that is kept when two are merged, and goes back with the undo', async () => {
    const { importCsv, map, sales, engine, beverageId } = openSalesBar();
    await importCsv(csv('1;01.05.2026;20:00;Lager;;;1;5;'));
    map('Lager', '', 300);
    const other = engine.kegs.catalogue.addBeverage(
      { name: 'Lager Hell', producerId: engine.kegs.catalogue.beverage(beverageId)!.producer.id },
      context,
    );
    const merge = engine.kegs.merges.mergeBeverages({ keptId: other.id, removedId: beverageId }, context);
    expect(sales.totals(allTime)).toMatchObject([{ beverageId: other.id }]);
    engine.kegs.merges.undo(merge, context);
    expect(sales.totals(allTime)).toMatchObject([{ beverageId }]);
  });
});

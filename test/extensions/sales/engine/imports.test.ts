import { describe, expect, test } from 'vitest';
import { at } from '../../../engine/bar.ts';
import { allTime, context, formatOf, genericFormat, openSalesBar, pause, sample } from './sales-bar.ts';

const generic = sample('generic.csv');
const head = 'external_id;date;time;item_name;quantity\n';
const complete = { ...genericFormat, isComplete: true };

describe('an import', () => {
  test('stores the lines and lists the bad rows with their reasons', async () => {
    const { importCsv, sales } = openSalesBar();
    const { record, isRepeat } = await importCsv(generic);
    expect(isRepeat).toBe(false);
    expect(record).toMatchObject({ lines: 5, newLines: 5, changedLines: 0, badRows: 2, state: 'complete' });
    expect(record.faults).toEqual([
      { line: 7, fault: 'time' },
      { line: 8, fault: 'quantity' },
    ]);
    const [cola] = sales.lines({}).items;
    expect(cola).toMatchObject({
      till: 'Front',
      itemName: 'Cola',
      category: 'Soft drinks',
      kind: 'sale',
      quantity: 1,
      netMinor: 350,
      // 20:30 in Berlin.
      timeMs: Date.UTC(2026, 4, 1, 18, 30),
    });
  });

  test('of the same content changes nothing and says so', async () => {
    const { importCsv, rows, sales } = openSalesBar();
    const first = await importCsv(generic);
    const before = rows();
    const second = await importCsv(generic);
    expect(second).toEqual({ record: first.record, isRepeat: true });
    expect(rows()).toEqual(before);
    expect(sales.imports.list({}).total).toBe(1);
  });

  test('keeps the format for the next file of the till', async () => {
    const { importCsv, sales, till } = openSalesBar();
    await importCsv(generic);
    expect(sales.tills.get(till.id).format).toEqual(genericFormat);
  });

  test('from the folder leaves a format alone that staff gave the till meanwhile', async () => {
    const { importCsv, sales, till } = openSalesBar();
    await importCsv(generic);
    const newer = { ...genericFormat, timeZone: 'Europe/Paris' };
    const request = {
      tillId: till.id,
      format: genericFormat,
      fileName: 'day.csv',
      source: 'folder',
    } as const;
    const files = { main: Buffer.from('date;item_name;quantity\n02.05.2026 20:00;Lager;1\n') };
    const changeWhileRead = async () => void sales.tills.change(till.id, { format: newer }, context);
    await sales.imports.importFile({ ...request, files, pause: changeWhileRead }, context);
    expect(sales.tills.get(till.id).format).toEqual(newer);
  });

  test('of a line that was voided meanwhile un-sells it, in either order of the files', async () => {
    const sold = 'external_id;date;time;item_name;quantity;kind\n1;01.05.2026;20:00;Lager;2;sale\n';
    const voided = 'external_id;date;time;item_name;quantity;kind\n1;01.05.2026;20:00;Lager;2;void\n';
    for (const order of [
      [sold, voided],
      [voided, sold],
    ]) {
      const bar = openSalesBar();
      for (const csv of order) await bar.importCsv(csv);
      bar.map('Lager', '', 500);
      expect(bar.sales.lines({}).items).toMatchObject([{ kind: 'void', quantity: 2 }]);
      expect(bar.sales.totals(allTime)).toMatchObject([
        { kind: 'void', servings: 0, volumeMl: 0, netMinor: 0 },
      ]);
    }
  });

  test('that was read with a wrong time zone is corrected by importing it again', async () => {
    const { importCsv, sales } = openSalesBar();
    await importCsv(generic, { format: { ...genericFormat, timeZone: 'UTC' } });
    const { record } = await importCsv(generic);
    expect(record).toMatchObject({ lines: 5, newLines: 0, changedLines: 5 });
    expect(sales.lines({}).items[0]!.timeMs).toBe(Date.UTC(2026, 4, 1, 18, 30));
    expect(sales.lines({}).total).toBe(5);
  });

  test('is undone as a whole, but for lines that another import has', async () => {
    const { importCsv, undo, rows, sales } = openSalesBar();
    const head = 'external_id;date;time;item_name;quantity\n';
    const lines = [
      '1;01.05.2026;20:00;Lager;1\n',
      '2;01.05.2026;20:01;Lager;1\n',
      '3;01.05.2026;20:02;Lager;1\n',
    ];
    const first = await importCsv(head + lines[0] + lines[1]);
    const second = await importCsv(head + lines[1] + lines[2]);
    expect(second.record).toMatchObject({ lines: 2, newLines: 1, changedLines: 0 });
    const undone = await undo(first.record.id);
    expect(undone.state).toBe('undone');
    expect(rows()).toHaveLength(2);
    await undo(second.record.id);
    expect(rows()).toEqual([]);
    await expect(undo(second.record.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(sales.imports.get(first.record.id).state).toBe('undone');
    // The content may be imported again.
    expect((await importCsv(head + lines[0] + lines[1])).record.newLines).toBe(2);
  });

  test('without a required column is refused, and stores nothing', async () => {
    const { importCsv, sales } = openSalesBar();
    await expect(importCsv('date;item_name\n01.05.2026;Lager\n')).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { file: expect.stringContaining('quantity') },
    });
    expect(sales.lines({}).total).toBe(0);
    expect(sales.imports.list({}).items).toEqual([]);
  });

  test('that stopped in the middle is continued when the same file comes again', async () => {
    const { importCsv, sales } = openSalesBar();
    const row = (id: number) => `${id};01.05.2026;20:00;Lager;1\n`;
    const csv = `external_id;date;time;item_name;quantity\n${Array.from({ length: 60 }, (_, i) => row(i)).join('')}`;
    for (let attempt = 0; attempt < 3; attempt++) {
      let isStopping = false;
      const stopping = async () => {
        // Nothing can be removed either.
        isStopping ||= sales.lines({}).total >= 25;
        if (isStopping) throw new Error('The daemon stops.');
      };
      await expect(importCsv(csv, { pause: stopping })).rejects.toThrow('stops');
    }
    expect(sales.imports.list({}).items).toMatchObject([{ state: 'interrupted' }]);
    const { record } = await importCsv(csv);
    expect(record).toMatchObject({ id: 1, state: 'complete', lines: 60, newLines: 60 });
    expect(sales.imports.list({}).total).toBe(1);
  });

  test('is refused while another one runs', async () => {
    const { sales, till } = openSalesBar();
    const request = {
      tillId: till.id,
      format: genericFormat,
      files: { main: generic },
      fileName: 'a.csv',
      source: 'file' as const,
    };
    let end = () => {};
    const first = sales.imports.importFile(
      { ...request, pause: () => new Promise<void>((done) => (end = done)) },
      context,
    );
    await expect(sales.imports.importFile({ ...request, pause }, context)).rejects.toMatchObject({
      code: 'conflict',
      reason: { name: 'sales_import_running' },
    });
    const finished = first.then(() => true);
    while (
      (await Promise.race([
        finished,
        pause()
          .then(pause)
          .then(() => false),
      ])) === false
    ) {
      end();
      await new Promise(setImmediate);
    }
    expect(sales.lines({}).total).toBe(5);
  });

  test('whose column names persons is refused, and such columns are not shown', async () => {
    const { importCsv, sales } = openSalesBar();
    const format = { ...genericFormat, columns: { ...genericFormat.columns, category: 'BEDIENER_NAME' } };
    await expect(importCsv(generic, { format })).rejects.toMatchObject({
      fields: { 'columns.category': expect.any(String) },
    });
    const preview = await sales.previews.read(
      { main: sample('square-item-detail.csv') },
      { format: formatOf('square'), tillId: null, pause, now: context.now },
    );
    expect(preview.columns).toContain('Item');
    expect(preview.columns).not.toContain('Employee');
    expect(preview.columns).not.toContain('Customer Name');
  });

  test('stores and removes at most 25 lines at once, with a pause in between', async () => {
    const { sales, till, engine } = openSalesBar();
    const head = 'external_id;date;time;item_name;quantity\n';
    const lines = Array.from({ length: 400 }, (_, i) => `${i};01.05.2026;20:00;Lager;1\n`);
    let stored = 0;
    let most = 0;
    const countAndPause = async () => {
      const { total } = sales.lines({ limit: 1 });
      most = Math.max(most, Math.abs(total - stored));
      stored = total;
    };
    const { record } = await sales.imports.importFile(
      {
        tillId: till.id,
        format: genericFormat,
        files: { main: Buffer.from(head + lines.join('')) },
        fileName: 'day.csv',
        source: 'file',
        pause: countAndPause,
      },
      context,
    );
    expect([record.newLines, most]).toEqual([400, 25]);
    most = 0;
    await sales.imports.undo(record.id, countAndPause, context);
    expect([sales.lines({}).total, most]).toEqual([0, 25]);
    expect(engine.site.checkDatabase()).toEqual([]);
  });

  test('is written to the audit log', async () => {
    const { importCsv, engine, undo } = openSalesBar();
    const { record } = await importCsv(generic);
    await undo(record.id);
    const actions = engine.audit.list({}).items.map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(['sales.import_undone', 'sales.imported']);
  });
});

describe('presets', () => {
  test('Square item detail: payment, refund and comp; no line id', async () => {
    const { importCsv, sales } = openSalesBar();
    const { record } = await importCsv(sample('square-item-detail.csv'), {
      format: formatOf('square', { timeZone: 'America/New_York' }),
    });
    expect(record).toMatchObject({ lines: 4, badRows: 1, faults: [{ line: 6, fault: 'time' }] });
    expect(
      sales
        .lines({})
        .items.map(({ itemName, variant, kind, quantity, netMinor }) => [
          itemName,
          variant,
          kind,
          quantity,
          netMinor,
        ]),
    ).toEqual([
      ['Lager', 'Pint', 'refund', -1, -800],
      ['Lager', 'Taster', 'comp', 1, 0],
      ['Burger', 'Regular', 'sale', 1, 1400],
      ['Lager', 'Pint', 'sale', 2, 1600],
    ]);
    expect(sales.lines({}).items.at(-1)!.timeMs).toBe(Date.UTC(2026, 4, 1, 22, 5, 10));
  });

  test('Toast ItemSelectionDetails: ISO-8859-1, month first, a voided selection', async () => {
    const { importCsv, sales } = openSalesBar();
    const { record } = await importCsv(sample('toast-item-selection-details.csv'), {
      format: formatOf('toast', { timeZone: 'America/New_York' }),
    });
    expect(record).toMatchObject({ lines: 4, badRows: 0, timeMeaning: 'send' });
    expect(sales.lines({}).items.map(({ itemName, kind }) => [itemName, kind])).toEqual([
      ['Kölsch 0.5L', 'comp'],
      ['Fries', 'sale'],
      ['Kölsch 0.5L', 'void'],
      ['Kölsch 0.5L', 'sale'],
    ]);
  });

  const dsfinvk = () => ({
    main: sample('dsfinvk-lines.csv'),
    transactions: sample('dsfinvk-transactions.csv'),
  });

  test('DSFinV-K: joined files, voids, reversed receipts and training', async () => {
    const { importCsv, sales } = openSalesBar();
    const { main, transactions } = dsfinvk();
    const { record } = await importCsv(main, { format: formatOf('dsfinvk'), transactions });
    expect(record).toMatchObject({
      lines: 5,
      skippedRows: 1,
      badRows: 1,
      faults: [{ line: 8, fault: 'transaction' }],
    });
    expect(
      sales
        .lines({})
        .items.map(({ itemName, kind, quantity, grossMinor }) => [itemName, kind, quantity, grossMinor]),
    ).toEqual([
      ['Helles 0,5', 'training', 5, 2400],
      ['Helles 0,5', 'refund', -1, -480],
      ['Schnitzel', 'sale', 1, 1690],
      ['Helles 0,5', 'void', -1, -480],
      ['Helles 0,5', 'sale', 2, 960],
    ]);
    expect(sales.lines({}).items.at(-1)!.timeMs).toBe(Date.UTC(2026, 4, 1, 18, 41, 12));
  });

  test('DSFinV-K without its receipts is refused by the field', async () => {
    const { importCsv } = openSalesBar();
    await expect(importCsv(dsfinvk().main, { format: formatOf('dsfinvk') })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { file: expect.stringContaining('transactions.csv') },
    });
  });
});

test('lines of a file that belong to no currency digit are read by the digits of the currency', async () => {
  for (const [currency, minor] of [
    ['EUR', 960],
    ['JPY', 10],
    ['KWD', 9600],
  ] as const) {
    const { importCsv, sales, engine } = openSalesBar();
    engine.reports.changeSettings({ currency }, context.actor, at(0));
    await importCsv(generic);
    expect(sales.lines({}).items.at(-1)!.netMinor).toBe(minor);
  }
});

describe('a file that is complete for its span', () => {
  const first = `${head};01.05.2026;20:00;Lager;1\n;01.05.2026;20:10;Stout;1\n;01.05.2026;20:20;Cola;1\n;01.05.2026;22:00;Lager;3\n`;
  // The second line is of another product, and the third was deleted at the till.
  const corrected = `${head};01.05.2026;20:00;Lager;1\n;01.05.2026;20:10;Porter;1\n;01.05.2026;20:30;Lager;2\n`;
  const shown = (bar: ReturnType<typeof openSalesBar>) =>
    bar.sales
      .lines({})
      .items.map(({ itemName, quantity }) => `${quantity} ${itemName}`)
      .sort();

  test('takes away what it does not have, and its undo restores it', async () => {
    const bar = openSalesBar();
    await bar.importCsv(first);
    const before = bar.rows();
    const { record } = await bar.importCsv(corrected, { format: complete });
    expect(record).toMatchObject({ newLines: 2, isComplete: true, goneLines: 2 });
    expect(shown(bar)).toEqual(['1 Lager', '1 Porter', '2 Lager', '3 Lager']);
    await bar.undo(record.id);
    expect(bar.rows()).toEqual(before);
  });

  test('of which nobody says so adds beside what there was', async () => {
    const bar = openSalesBar();
    await bar.importCsv(first);
    await bar.importCsv(corrected);
    expect(shown(bar)).toEqual(['1 Cola', '1 Lager', '1 Porter', '1 Stout', '2 Lager', '3 Lager']);
  });

  test('with rows that are not understood takes nothing away: one of them may be a known line', async () => {
    const bar = openSalesBar();
    await bar.importCsv(first);
    const { record } = await bar.importCsv(`${corrected};01.05.2026;20:20;Cola;one\n`, { format: complete });
    expect(record).toMatchObject({ badRows: 1, isComplete: false, goneLines: 0 });
    expect(shown(bar)).toHaveLength(6);
  });

  test('leaves what comes after it by the API, and the lines of another till', async () => {
    const bar = openSalesBar();
    const other = bar.sales.tills.create('Garden', context);
    await bar.importCsv(first, { tillId: other.id });
    const send = (externalId: string) =>
      bar.sales.api.receive(
        bar.till.name,
        {
          timeMeaning: 'ring',
          lines: [
            {
              externalId,
              checkId: '',
              timeMs: Date.UTC(2026, 4, 1, 18, 5),
              itemKey: '',
              itemName: externalId,
              variant: '',
              category: '',
              kind: 'sale',
              quantity: 9,
              grossMinor: null,
              discountMinor: null,
              netMinor: null,
            },
          ],
        },
        context,
      );
    send('before');
    await bar.importCsv(corrected, { format: complete });
    send('after');
    expect(shown(bar).filter((line) => line.startsWith('9'))).toEqual(['9 after']);
    expect(shown(bar)).toHaveLength(4 + 3 + 1);
  });

  test('is previewed with what will be new, change and go; nothing is stored', async () => {
    const bar = openSalesBar();
    await bar.importCsv(`${first}${'4711;01.05.2026;20:15;Lager;1\n'}`);
    const before = bar.rows();
    const read = (format: typeof complete, tillId: number | null) =>
      bar.sales.previews.read(
        { main: Buffer.from(`${corrected}4711;01.05.2026;20:15;Lager;2\n`) },
        { format, tillId, pause, now: context.now },
      );
    const { changes } = await read(complete, bar.till.id);
    expect(changes).toMatchObject({ newLines: 2, changedLines: 1, goneLines: 2 });
    expect(changes?.gone.map(({ itemName }) => itemName)).toEqual(['Stout', 'Cola']);
    expect(changes?.changed).toMatchObject([{ itemName: 'Lager', quantity: 2 }]);
    expect(await read(genericFormat, bar.till.id)).toMatchObject({ changes: { goneLines: 0, gone: [] } });
    expect((await read(complete, null)).changes).toBeNull();
    expect(bar.rows()).toEqual(before);
    const { record } = await bar.importCsv(`${corrected}4711;01.05.2026;20:15;Lager;2\n`, {
      format: complete,
    });
    expect(record).toMatchObject({ newLines: 2, changedLines: 1, goneLines: 2 });
  });
});

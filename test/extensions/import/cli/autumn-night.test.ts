import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createSite, type ImportSite } from './import-site.ts';

let site: ImportSite;
let other: ImportSite;
beforeEach(() => {
  site = createSite();
  other = createSite();
});
afterEach(() => {
  site.remove();
  other.remove();
});

/** Every eleven minutes of the night in which clocks go back. */
const nights = [
  ['Europe/Berlin', Date.UTC(2025, 9, 25, 22), 'de-DE'],
  ['America/New_York', Date.UTC(2025, 10, 2, 3), 'en-US'],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 12), 'de-CH'],
] as const;

test.each(nights)(
  'an export for Excel of the autumn night in %s gives the same instants back',
  async (timeZone, startMs, locale) => {
    const times = Array.from({ length: 40 }, (_, i) => startMs + i * 660_000);
    for (const one of [site, other])
      await one.open(({ engine, now }) => engine.site.change({ timeZone, locale }, systemActor, now));
    site.write(
      'drinks.csv',
      `id,pour_time,volume_ml\n${times.map((ms, i) => `${i + 1},${new Date(ms).toISOString().slice(0, 19)}Z,330.5\n`).join('')}`,
    );
    expect(await site.tapster('import csv --drinks drinks.csv --no-backup')).toMatchObject({ code: 0 });
    const exported = await site.tapster('export drinks --dialect excel');
    expect(exported.out.split(/\r\n/)[0]).toMatch(/[,;]pour_time_utc_offset$/);
    // Edited in a spreadsheet that writes times in its own way and keeps the offsets.
    const edited = exported.out.replaceAll(/(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d):\d\d/g, '$3.$2.$1 $4');
    for (const [source, text, isRounded] of [
      ['own', exported.out, false],
      ['edited', edited, true],
    ] as const) {
      other.write('excel.csv', text);
      const options = isRounded ? ' --date-order dmy' : '';
      const command = `import csv --drinks excel.csv --source ${source} --no-backup${options}`;
      expect(await other.tapster(command)).toMatchObject({ code: 0 });
      const read = await other.open(({ engine }) =>
        engine.lists
          .drinks({ limit: 100, isValid: true, order: 'time' })
          .items.map(({ pourTimeMs }) => pourTimeMs),
      );
      const found = new Set(read);
      expect(times.filter((ms) => !found.has(isRounded ? Math.floor(ms / 60_000) * 60_000 : ms))).toEqual([]);
    }
  },
);

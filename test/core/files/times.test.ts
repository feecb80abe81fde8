import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShownClock } from '../../../src/core/files/shown-clock.ts';
import { isImplausible, parseFileTime } from '../../../src/core/files/times.ts';

const utc = (...parts: [number, number, number, number, number, number?]): number =>
  Date.UTC(parts[0], parts[1] - 1, ...(parts.slice(2) as [number]));

describe('a written time', () => {
  test.each([
    ['2026-07-18', '21:15:03', 'ymd', utc(2026, 7, 18, 21, 15, 3)],
    ['07/18/2026 9:15 PM', '', 'mdy', utc(2026, 7, 18, 21, 15)],
    ['07/18/2026 12:05 AM', '', 'mdy', utc(2026, 7, 18, 0, 5)],
    ['18.07.2026', '21:15', 'dmy', utc(2026, 7, 18, 21, 15)],
    ['18.7.26', '21.15', 'dmy', utc(2026, 7, 18, 21, 15)],
    ['03/04/2026', '12:00', 'dmy', utc(2026, 4, 3, 12, 0)],
    ['03/04/2026', '12:00', 'mdy', utc(2026, 3, 4, 12, 0)],
  ] as const)('%s %s in the order %s', (date, time, order, shownMs) => {
    expect(parseFileTime(date, time, order)).toEqual({ kind: 'shown', shownMs });
  });

  test.each(['2026-07-18T21:15:03+02:00', '2026-07-18 19:15:03Z', '2026-07-18T19:15:03.500Z'])(
    'with a zone is an instant: %s',
    (text) => {
      const time = parseFileTime(text, '', 'ymd');
      if (time === null || time === 'order') throw new Error('no time');
      expect(time.kind).toBe('instant');
      expect(Math.floor((time as { ms: number }).ms / 1_000)).toBe(utc(2026, 7, 18, 19, 15, 3) / 1_000);
    },
  );

  const styles = ['full', 'long', 'medium', 'short'] as const;
  test.each([
    ...[
      'en-GB',
      'en-AU',
      'de-DE',
      'de-AT',
      'de-CH',
      'es-ES',
      'es-MX',
      'fr-FR',
      'fr-CH',
      'nl-NL',
      'nl-BE',
    ].map((language) => [language, 'dmy'] as const),
    ['en-US', 'mdy'] as const,
    ['en-CA', 'ymd'] as const,
    ['fr-CA', 'ymd'] as const,
  ])('is read as programs write it in %s', (language, order) => {
    for (const month of [1, 3, 5, 8, 12])
      for (const dateStyle of styles)
        for (const timeStyle of ['long', 'medium', 'short'] as const)
          for (const [timeZone, offsetMs] of [
            ['UTC', 0],
            ['Etc/GMT-1', 3_600_000],
          ] as const) {
            const ms = utc(2026, month, 13, 18, 4);
            const text = new Intl.DateTimeFormat(language, { dateStyle, timeStyle, timeZone }).format(ms);
            const isInstant = timeStyle === 'long';
            expect([text, parseFileTime(text, '', order)]).toEqual([
              text,
              isInstant ? { kind: 'instant', ms } : { kind: 'shown', shownMs: ms + offsetMs },
            ]);
          }
  });

  test.each([
    ['30.02.2026', '12:00', 'dmy'],
    ['13/13/2026', '12:00', 'mdy'],
    ['18.07.2026', '', 'dmy'],
    ['18.07.2026', '25:00', 'dmy'],
    ['18.07.2026', '13:00 PM', 'dmy'],
    ['1.1.202', '12:00', 'dmy'],
  ] as const)('that no calendar has, or in another order, is none: %s %s (%s)', (date, time, order) => {
    expect(parseFileTime(date, time, order)).toBeNull();
  });

  test.each([
    ['2026-07-18', '21:15', 'dmy', utc(2026, 7, 18, 21, 15)],
    ['2026-07-18', 'T21:15', 'dmy', utc(2026, 7, 18, 21, 15)],
    ['18 July 2026', 'at 21:15', null, utc(2026, 7, 18, 21, 15)],
    ['7/18/2026, 9:15:03\u202fPM', '', 'mdy', utc(2026, 7, 18, 21, 15, 3)],
    ['18-Jul-2026 09:15 PM', '', null, utc(2026, 7, 18, 21, 15)],
    ['18-Jul-26 9:15 p. m.', '', null, utc(2026, 7, 18, 21, 15)],
    ['18 July 2026, 21:15', '', null, utc(2026, 7, 18, 21, 15)],
    ['July 18th, 2026 21:15', '', null, utc(2026, 7, 18, 21, 15)],
    ['Sat, Jul 18, 2026 9:15 PM', '', null, utc(2026, 7, 18, 21, 15)],
    ['18. März 2026, 21:15 Uhr', '', null, utc(2026, 3, 18, 21, 15)],
    ['Mittwoch, 18. März 2026', '21:15 Uhr', null, utc(2026, 3, 18, 21, 15)],
    ['18 de septiembre de 2026 21:15 h', '', null, utc(2026, 9, 18, 21, 15)],
    ['mar. 18 août 2026 21h15', '', null, utc(2026, 8, 18, 21, 15)],
    ['1er févr. 2026 21 h 15', '', null, utc(2026, 2, 1, 21, 15)],
    ['18 mrt 2026 21:15 uur', '', null, utc(2026, 3, 18, 21, 15)],
    ['18.07.2026', '21:15', null, utc(2026, 7, 18, 21, 15)],
    ['Sa. 18.07.2026', '21:15', null, utc(2026, 7, 18, 21, 15)],
    ['07.07.2026', '21:15', null, utc(2026, 7, 7, 21, 15)],
    ['18.\u00a07.\u00a02026', '21:15', 'dmy', utc(2026, 7, 18, 21, 15)],
    ['20260718T211503', '', null, utc(2026, 7, 18, 21, 15, 3)],
  ] as const)('%s %s is read in the order %s', (date, time, order, shownMs) => {
    expect(parseFileTime(date, time, order)).toEqual({ kind: 'shown', shownMs });
  });

  test.each([
    ['2026-07-18T21:15:03+0200', utc(2026, 7, 18, 19, 15, 3)],
    ['2026-07-18 21:15:03 +02:00', utc(2026, 7, 18, 19, 15, 3)],
    ['2026-07-18T21:15:03-0330', utc(2026, 7, 19, 0, 45, 3)],
    ['2026-07-18T21:15+02', utc(2026, 7, 18, 19, 15)],
    ['20260718T191503Z', utc(2026, 7, 18, 19, 15, 3)],
    ['18 Jul 2026 9:15 PM GMT+02:00', utc(2026, 7, 18, 19, 15)],
    ['18. Juli 2026 21:15 Uhr MESZ', utc(2026, 7, 18, 19, 15)],
    ['1784402103', utc(2026, 7, 18, 19, 15, 3)],
  ] as const)('%s is an instant', (text, ms) => {
    expect(parseFileTime(text, '', null)).toEqual({ kind: 'instant', ms });
  });

  test.each([
    ['05/02/26', 'ymd'],
    ['05/02/2026', 'ymd'],
    ['05/02/26', null],
    ['05.02.2026', null],
    ['18/07/2026', 'mdy'],
    ['07/18/2026', 'dmy'],
  ] as const)('the date %s in the order %s asks for the order', (date, order) => {
    expect(parseFileTime(date, '21:15', order)).toBe('order');
  });

  test.each(['18 Foo 2026', '18 Jul', 'Jul 2026', '32 Jul 2026', '18 Jul Aug 2026', '18 Jul 2026 1'])(
    '%s is no date',
    (date) => {
      expect(parseFileTime(date, '21:15', 'dmy')).toBeNull();
    },
  );

  test.each([
    [utc(1999, 12, 31, 23, 59), null, true],
    [utc(2000, 1, 1, 0, 0), null, false],
    [utc(2026, 11, 29, 11, 0), utc(2026, 11, 28, 12, 0), false],
    [utc(2026, 11, 29, 13, 0), utc(2026, 11, 28, 12, 0), true],
    [utc(2099, 1, 1, 0, 0), null, false],
  ])('%d is implausible at %s: %s', (ms, nowMs, expected) => {
    expect(isImplausible(ms, nowMs)).toBe(expected);
  });

  test('is never guessed and never throws', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('ymd', 'dmy', 'mdy' as const),
        (date, time, order) => {
          const parsed = parseFileTime(date, time, order as 'ymd');
          if (parsed !== null && parsed !== 'order')
            expect(Number.isFinite(parsed.kind === 'shown' ? parsed.shownMs : parsed.ms)).toBe(true);
        },
      ),
    );
  });
});

describe('the clock of a till', () => {
  const shown = (hour: number, minute: number, day = 25, month = 10) => ({
    kind: 'shown' as const,
    shownMs: utc(2026, month, day, hour, minute),
  });
  const read = (times: readonly ReturnType<typeof shown>[]): string[] => {
    const toMs = createShownClock('Europe/Berlin');
    return times.map((time) => new Date(toMs(time)).toISOString().slice(11, 16));
  };

  test('reads the hour that occurs twice in autumn by the order of the lines', () => {
    // 02:50 summer time is 00:50 UTC; then clocks go back to 02:00, 01:00 UTC.
    expect(read([shown(1, 50), shown(2, 10), shown(2, 50), shown(2, 5), shown(2, 40), shown(3, 5)])).toEqual([
      '23:50',
      '00:10',
      '00:50',
      '01:05',
      '01:40',
      '02:05',
    ]);
  });

  test('does the same with the newest line first', () => {
    expect(read([shown(3, 5), shown(2, 40), shown(2, 5), shown(2, 50), shown(2, 10), shown(1, 50)])).toEqual([
      '02:05',
      '01:40',
      '01:05',
      '00:50',
      '00:10',
      '23:50',
    ]);
  });

  test('takes a line that is a few minutes out of order for no change of clocks', () => {
    expect(read([shown(1, 58), shown(2, 10), shown(2, 8), shown(2, 12)])).toEqual([
      '23:58',
      '00:10',
      '00:08',
      '00:12',
    ]);
  });

  test('reads a time that is skipped in spring with the offset before the change', () => {
    expect(read([shown(1, 30, 29, 3), shown(2, 30, 29, 3), shown(3, 30, 29, 3)])).toEqual([
      '00:30',
      '01:30',
      '01:30',
    ]);
  });

  test('shows every instant of a year as it was written, in zones on both sides', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
        fc.integer({ min: utc(2026, 1, 2, 0, 0), max: utc(2026, 12, 30, 0, 0) }),
        (timeZone, shownMs) => {
          const rounded = Math.floor(shownMs / 60_000) * 60_000;
          const ms = createShownClock(timeZone)({ kind: 'shown', shownMs: rounded });
          const text = new Intl.DateTimeFormat('sv-SE', {
            timeZone,
            dateStyle: 'short',
            timeStyle: 'medium',
          }).format(ms);
          const back = Date.parse(`${text.replace(' ', 'T')}Z`);
          // Only a skipped time is shown as another one.
          expect([0, 30, 60]).toContain((back - rounded) / 60_000);
        },
      ),
    );
  });
});

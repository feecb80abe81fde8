import { expect, test } from 'vitest';
import type { MailedReport } from '../../../src/engine/engine.ts';
import { renderReport } from '../../../src/outbox/mail/report-email.ts';
import { daemonTexts } from '../../../src/system/catalogues.ts';
import { createTestServer } from '../../http/test-server.ts';

const none = { spills: 0, spilledMl: 0, held: 0, heldMl: 0, revenueMinor: null, unpriced: 0, unpricedMl: 0 };
const report: MailedReport = {
  date: '2026-05-02',
  currency: 'EUR',
  drinks: 2,
  pouredMl: 1_000,
  spills: 1,
  spilledMl: 200,
  held: 1,
  heldMl: 300,
  revenueMinor: 960,
  unpriced: 1,
  unpricedMl: 300,
  taps: [{ ...none, name: null, drinks: 1, pouredMl: 600 }],
  kegs: [{ ...none, kegId: 7, beverage: 'Pils', drinks: 1, pouredMl: 500, revenueMinor: 480 }],
};
const render = (language: string, values = report) => {
  const site = { ...createTestServer().engine.users.site(), volumeUnits: 'metric' as const };
  return renderReport(values, { site, texts: daemonTexts(language) });
};
/** Currencies are separated from the amount by a no-break space. */
const plain = (lines: readonly string[] = []) => lines.map((line) => line.replaceAll('\u00a0', ' '));

test('a report is written in the language of its reader', () => {
  const german = render('de');
  expect(german.subject).toBe('Bericht für Samstag, 2. Mai 2026');
  expect(plain(german.table)).toEqual([
    '1,0 L in 2 Getränken',
    '200 mL Schwund',
    '300 mL in 1 Zapfung zu prüfen',
    '9,60 € ohne Steuer',
    'ohne Preis: 300 mL in 1 Getränk',
    '',
    'Nach Zapfhahn',
    '  Kein oder ein gelöschter Zapfhahn: 600 mL in 1 Getränk',
    '',
    'Nach Fass',
    '  Pils (Fass 7): 500 mL in 1 Getränk, 4,80 € ohne Steuer',
  ]);
  expect(plain(render('en').table)[0]).toBe('1.0 L in 2 drinks');
});

test('revenue has the digits of its currency', () => {
  expect(plain(render('en', { ...report, currency: 'JPY', revenueMinor: 960 }).table)[3]).toBe(
    '¥960 without tax',
  );
  expect(plain(render('en', { ...report, currency: 'KWD', revenueMinor: 960 }).table)[3]).toBe(
    'KWD 0.960 without tax',
  );
});

test('a bar without any prices reads nothing of drinks without a price', () => {
  expect(render('en', { ...report, revenueMinor: null }).table?.join()).not.toContain('price');
});

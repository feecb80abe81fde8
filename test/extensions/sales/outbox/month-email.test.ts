import { expect, test } from 'vitest';
import type { MailedMonth } from '../../../../src/extensions/sales/engine/balance/month-mail.ts';
import { renderMonth } from '../../../../src/extensions/sales/outbox/month-email.ts';
import { daemonTexts } from '../../../../src/system/catalogues.ts';
import { createTestServer } from '../../../http/test-server.ts';

const month: MailedMonth = {
  month: '2026-05',
  kind: 'poured_not_rung',
  volumeMl: 12_400,
  uncertaintyMl: 1_100,
  valueMinor: 6_100,
  valueUncertaintyMinor: 550,
  currency: 'EUR',
  beverage: 'Helles',
  findings: 2,
};
const render = (language: string, values: Partial<MailedMonth> = {}) => {
  const site = { ...createTestServer().engine.users.site(), volumeUnits: 'metric' as const };
  const { subject, paragraphs } = renderMonth(
    { ...month, ...values },
    { site, texts: daemonTexts(language) },
  );
  return [subject, ...paragraphs].map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '));
};

test('the owner’s sentence comes first, in the language of the reader', () => {
  expect(render('en')).toEqual([
    'Poured against sold: May 2026',
    'May 2026: 12.4 L ± 1.1 L poured, not rung. In money: €61.00 ± €5.50, without tax. Most of it Helles.',
    '2 things to check on the page “Poured against sold”.',
  ]);
  expect(render('de')[1]).toBe(
    'Mai 2026: 12,4 L ± 1,1 L gezapft, nicht boniert. In Geld: 61,00 € ± 5,50 €, ohne Steuer. Das meiste davon Helles.',
  );
});

test('a month that agrees says within what, without money', () => {
  expect(render('en', { kind: 'agrees', beverage: null, findings: 0 }).slice(1)).toEqual([
    'May 2026: poured and sold agree within ± 1.1 L.',
    'Nothing to check.',
  ]);
});

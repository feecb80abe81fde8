import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFirstTexts } from '../../../tools/first-texts.mjs';
import { readLanguageNotes, toPageCatalogue } from '../../../tools/page-texts.mjs';

test('browsers get no texts of mails and no note about the language', () => {
  const catalogue = { 'kegs.keg': 'Fût', 'mail.title': 'E-mail', 'mails.welcome.subject': 'Bienvenue' };
  expect(toPageCatalogue({ ...catalogue, 'language.note': 'Non relu' })).toEqual({
    'kegs.keg': 'Fût',
    'mail.title': 'E-mail',
  });
});

test('the build finds a language and its note by the file alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-locales-'));
  try {
    writeFileSync(join(folder, 'en.json'), '{"kegs.keg": "Keg"}');
    writeFileSync(join(folder, 'fr.json'), '{"kegs.keg": "Fût", "language.note": "Non relu"}');
    expect(readLanguageNotes(folder)).toEqual({ fr: 'Non relu' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the first page has the texts of the modules that it imports, and of no page that is loaded on first use', () => {
  const isFirst = findFirstTexts(join(import.meta.dirname, '../../../src/web/main.tsx'));
  const ofFirstPage = ['app.loading', 'app.noticeCount', 'nav.account'];
  expect(ofFirstPage.filter((key) => !isFirst(key))).toEqual([]);
  const later = ['calibration.title', 'daemon.refusals.wrong_pin', 'beers.color', 'setUp.title'];
  expect(later.filter(isFirst)).toEqual([]);
});

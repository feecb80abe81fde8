import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isValidElement } from 'preact';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { createProblem, joinMessages, textProblem } from '../../../src/core/health/problems.ts';
import { toProblems } from '../../../src/core/health/to-problems.ts';
import { problemTexts } from '../../../src/core/locales/problem-texts.ts';
import { formatHostInfo } from '../../../src/devices/gpio/host-info.ts';
import { chipProblem, lineProblem } from '../../../src/devices/gpio/line-problems.ts';
import { reasonTexts } from '../../../src/http/routes/error-texts.ts';
import { formatProblem } from '../../../src/web/app/problem-text.ts';
import { type Catalogue, createTranslator } from '../../../src/web/locales/translator.ts';

const folder = join(import.meta.dirname, '../../../locales');
const read = (language: string) =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Catalogue;
const german = createTranslator('de', read('de'));
const english = createTranslator('en', read('en'));
const chip = { path: '/dev/gpiochip0', label: 'pinctrl-bcm2711', lines: 58 };
const host = { board: 'Raspberry Pi 4', kernel: '6.12' };

test('the English texts of the daemon are those of the catalogue', () => {
  expect(problemTexts).toEqual(english.listTexts('daemon.problemTexts'));
});

test('no problem has the name of a refusal, whose text would never be shown', () => {
  expect(Object.keys(problemTexts).filter((code) => Object.hasOwn(reasonTexts, code))).toEqual([]);
});

test.each(['de', 'fr', 'es', 'nl'])('every problem has a text of its own in %s', (language) => {
  const texts = read(language);
  const same = Object.entries(problemTexts).filter(
    ([code, text]) => texts[`daemon.problemTexts.${code}`] === text,
  );
  expect(same).toEqual([]);
});

test.each(['de', 'fr', 'es', 'nl'])('no text of the daemon in %s is half English', (language) => {
  const english = /\b(the|and|with|cannot|could|please|this|your|you|its|not been)\b/i;
  const texts = Object.entries(read(language)).filter(([key]) => key.startsWith('daemon.'));
  expect(texts.filter(([, text]) => english.test(text))).toEqual([]);
});

test('a problem is shown in the language of the page, with its facts', () => {
  const problem = createProblem('pours_waiting', { pours: 3 });
  expect(problem.message).toBe('3 finished pours wait for the database.');
  expect(formatProblem(problem, german)).toBe('3 beendete Zapfungen warten auf die Datenbank.');
  const journal = createProblem('journal_not_written', { code: 'ENOSPC' });
  expect(journal.message).toContain('cannot be written: the disk is full. Counting');
  expect(formatProblem(journal, german)).toContain('Der Datenträger ist voll. Gezählt');
});

test('a text without a code is marked as English on pages in another language', () => {
  const problem = textProblem('EIO: i/o error, write');
  expect(formatProblem(problem, english)).toBe('EIO: i/o error, write');
  const shown = formatProblem(problem, german);
  expect(isValidElement(shown) && shown.props).toMatchObject({ lang: 'en' });
  const newer = { code: 'code_of_a_newer_daemon', params: {}, message: 'The glass is empty.' };
  expect(isValidElement(formatProblem(newer, german))).toBe(true);
});

test.each([
  [
    'line_taken',
    () => lineProblem({ code: 'USED', pin: 17, chip, owner: 'spi0' }, host),
    /schon von „spi0“ belegt/,
  ],
  [
    'line_taken_by_kernel',
    () => lineProblem({ code: 'EBUSY', pin: 17, chip, owner: '' }, host),
    /Kerneltreiber/,
  ],
  ['line_exported', () => lineProblem({ code: 'USED', pin: 17, chip, owner: 'sysfs' }, host), /unexport/],
  ['line_out_of_range', () => lineProblem({ code: 'RANGE', pin: 60, chip }, host), /Leitungen 0 bis 57/],
  ['line_refused', () => lineProblem({ code: 'EINVAL', pin: 17, chip }, host), /lehnt|ablehnt \(EINVAL\)/],
  ['line_failed', () => lineProblem({ code: 'EIO', pin: 17, chip }, host), /ließ sich nicht öffnen \(EIO\)/],
  [
    'device_not_permitted',
    () => lineProblem({ code: 'EACCES', pin: 17, chip }, host),
    /Gruppe .* meist gpio/,
  ],
  ['gpio_chip_missing', () => chipProblem({ code: 'ENOENT', path: chip.path }, host), /gibt es nicht/],
] as const)('the problem %s of a GPIO line is German on a German page', (code, createLineProblem, text) => {
  const problem = createLineProblem();
  expect(problem.code).toBe(code);
  const shown = formatProblem(problem, german);
  expect(shown).toMatch(text);
  expect(shown).toContain('/dev/gpiochip0');
  expect(shown).not.toMatch(/\b(the|kernel 6|unknown|choose)\b/);
});

test('the names of a machine are the same in every language', () => {
  expect(formatHostInfo(host)).toBe('Raspberry Pi 4, Linux 6.12');
  expect(formatHostInfo({ board: 'unknown board', kernel: 'unknown' })).toBe('Linux');
});

test('an error stands for its problem, then for that of the error that caused it', () => {
  const full = new AppError('unavailable', 'Only 3 MB are free.', {
    reason: { name: 'no_disk_space', megabytes: 3 },
  });
  const copy = new AppError('unavailable', createProblem('backup_not_copied'), { cause: full });
  const problems = toProblems(copy);
  expect(problems.map(({ code }) => code)).toEqual(['backup_not_copied', 'no_disk_space']);
  expect(joinMessages(problems)).toBe('The backup was made but not copied. Only 3 MB are free.');
  expect(String(formatProblem(problems[1]!, german))).toContain('3 MB');
  expect(toProblems(new TypeError('x')).map(({ code }) => code)).toEqual(['see_log']);
});

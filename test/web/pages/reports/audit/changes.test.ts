import { expect, test } from 'vitest';
import { settingList } from '../../../../../src/core/settings/site-settings.ts';
import { findText, loadAllTexts } from '../../../../../src/web/locales/locale.ts';
import { listChanges } from '../../../../../src/web/pages/reports/audit/changes.ts';

await loadAllTexts();

const units = { volume_units: 'metric', temperature_units: 'c', time_zone: 'UTC' } as const;

test('lists only changed fields, in the units of the site', () => {
  const before = { id: 3, name: 'Left', volumeMl: 300, isActive: true, notes: '' };
  const after = { id: 3, name: 'Left', volumeMl: 1_500, isActive: false, notes: 'foams' };
  expect(listChanges({ before, after }, units)).toEqual([
    'volume: 300\u00a0mL → 1.5\u00a0L',
    'active: Yes → No',
    'notes: none → foams',
  ]);
});

test('compares each drink of a correction with itself', () => {
  const drink = (id: number, volume: number, user: string | null) => ({
    id,
    volume_ml: volume,
    user_id: user,
    is_valid: true,
  });
  const before = { drinks: [drink(1, 300, 'bert'), drink(2, 200, 'bert')] };
  const after = { drinks: [drink(1, 300, null), drink(2, 200, 'cleo')] };
  expect(listChanges({ before, after }, units)).toEqual(['person: bert → none', 'person: bert → cleo']);
});

test('lists the fields of a created or deleted drink without the default values', () => {
  const drinks = [{ id: 7, volume_ml: 330, user_id: 'bert', ticks: 0, is_valid: true, keg_id: 2 }];
  const lines = ['volume: 330\u00a0mL', 'person: bert', 'keg: 2'];
  expect(listChanges({ before: null, after: { drinks } }, units)).toEqual(lines);
  expect(listChanges({ before: { drinks }, after: { drinks: [] } }, units)).toEqual(lines);
});

test('shows an unknown field by its own name and a time in the bar’s time zone, and leaves out nested objects', () => {
  const before = { hopBill: 'Cascade', startedTimeMs: 0, beverage: { name: 'Lager' } };
  const after = { hopBill: 'Saaz', startedTimeMs: Date.UTC(2026, 4, 2, 17), beverage: { name: 'Pils' } };
  const lines = listChanges({ before, after }, units);
  expect(lines[0]).toBe('hop bill: Cascade → Saaz');
  expect(lines[1]).toMatch(/^start: .*5:00/);
  expect(lines).toHaveLength(2);
});

test('limits a long list, and lists nothing when both sides are empty', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field_${n}`, n]));
  expect(listChanges({ before: null, after: many }, units)).toHaveLength(12);
  expect(listChanges({ before: null, after: null }, units)).toEqual([]);
});

test('names settings and their choices as the page of settings does', () => {
  const before = { volumeUnits: 'metric', registrationMode: 'public', kegLowPercent: 15 };
  const after = { volumeUnits: 'us', registrationMode: 'staff-invite-only', kegLowPercent: 20 };
  expect(listChanges({ before, after }, units)).toEqual([
    'volumes: Millilitres and litres → US ounces and pints',
    'registration: Public → Invite only, by staff',
    'Low-keg warning (%): 15 → 20',
  ]);
});

test('shows the end of the business day as a time of day', () => {
  expect(listChanges({ before: { dayEndsMinutes: 240 }, after: { dayEndsMinutes: 330 } }, units)).toEqual([
    'end of the day: 04:00 → 05:30',
  ]);
});

test('every setting that is logged has a name', () => {
  const names = [
    ...settingList.map(([name]) => name),
    'dayEndsMinutes',
    'nightlyBackups',
    'currency',
    'shifts',
  ];
  const unnamed = names.filter((name) => {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return (findText('audit.fields', snake) ?? findText('site.labels', snake)) === undefined;
  });
  expect(unnamed).toEqual([]);
});

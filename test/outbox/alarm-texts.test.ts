import { expect, test } from 'vitest';
import { type AlarmValueType, baseAlarms, joinAlarmKinds } from '../../src/core/alarms/alarm-kinds.ts';
import { createProblem } from '../../src/core/health/problems.ts';
import { extensions } from '../../src/extensions/all.ts';
import { formatAlarm } from '../../src/outbox/alarms/alarm-texts.ts';
import { daemonTexts, listLanguages } from '../../src/system/catalogues.ts';
import { createTestServer } from '../http/test-server.ts';

const examples: Readonly<Record<AlarmValueType, unknown>> = {
  text: 'Left',
  number: 7,
  temperature: 12.5,
  temperatureRise: 2.5,
  volume: 4_300,
  timeOfDay: Date.UTC(2026, 4, 1, 22, 30),
  healthPart: 'disk',
  problems: [createProblem('too_hot', { temperature: '82' })],
};

const site = createTestServer().engine.users.site();

const format = (kind: keyof typeof baseAlarms, values: object, at: typeof site, language: string) =>
  formatAlarm({ kind, declaration: baseAlarms[kind], values: { ...values } }, at, daemonTexts(language));

const kinds = joinAlarmKinds(extensions);

test.each(kinds.names)('%s has a title, a text and an advice in every language', (kind) => {
  const declaration = kinds.find(kind)!;
  const types = Object.entries(declaration.values);
  const values = Object.fromEntries(types.map(([name, type]) => [name, examples[type]]));
  for (const language of listLanguages()) {
    const { title, paragraphs } = formatAlarm({ kind, declaration, values }, site, daemonTexts(language));
    expect(title).not.toBe(kind);
    expect(paragraphs.map((text) => text.length > 10)).toEqual([true, true]);
    expect([title, ...paragraphs].join(' ')).not.toMatch(/undefined|NaN|[{}]/);
  }
});

test('a rise is converted as a difference, and the time of day is that of the bar', () => {
  const inFahrenheit = {
    ...site,
    temperatureUnits: 'f',
    timeZone: 'Europe/Berlin',
    volumeUnits: 'metric',
  } as const;
  const warming = { sensor: 'Left', tempC: 10, riseC: 2.5 };
  expect(format('warming_fast', warming, inFahrenheit, 'en').paragraphs[0]).toBe(
    'Left shows 50.0 °F, 4.5 °F more than 20 minutes ago.',
  );
  const dry = { tap: 'Left', beer: 'Lager', remainMl: 4_300, emptyMs: Date.UTC(2026, 4, 1, 20, 30) };
  expect(format('keg_runs_dry', dry, inFahrenheit, 'de').paragraphs[0]).toBe(
    'Left: Vom Lager sind noch 4,3 L übrig. Wie gewöhnlich gezapft, ist das Fass gegen 22:30 leer.',
  );
});

test('temperatures of an alarm are written in the units of the bar and the numbers of the language', () => {
  const values = { sensor: 'Left', tempC: 12.5, limitC: 8 };
  const { paragraphs } = format('too_warm', values, { ...site, temperatureUnits: 'c' }, 'de');
  expect(paragraphs[0]).toBe('Left zeigt 12,5 °C und liegt seit einer Weile über 8,0 °C.');
});

import { expect, test } from 'vitest';
import { type AlarmValueType, alarmDeclarations, alarmKinds } from '../../src/core/rules/alarm-kinds.ts';
import { createProblem } from '../../src/core/rules/problems.ts';
import { formatAlarm } from '../../src/outbox/alarm-texts.ts';
import { daemonTexts, listLanguages } from '../../src/system/catalogues.ts';
import { createTestServer } from '../http/test-server.ts';

const examples: Readonly<Record<AlarmValueType, unknown>> = {
  text: 'Left',
  number: 7,
  temperature: 12.5,
  healthPart: 'disk',
  problems: [createProblem('too_hot', { temperature: '82' })],
};

const site = createTestServer().engine.users.site();

test.each(alarmKinds)('%s has a title, a text and an advice in every language', (kind) => {
  const types = Object.entries<AlarmValueType>(alarmDeclarations[kind].values);
  const values = Object.fromEntries(types.map(([name, type]) => [name, examples[type]]));
  for (const language of listLanguages()) {
    const { title, paragraphs } = formatAlarm(kind, values, site, daemonTexts(language));
    expect(title).not.toBe(kind);
    expect(paragraphs.map((text) => text.length > 10)).toEqual([true, true]);
    expect([title, ...paragraphs].join(' ')).not.toMatch(/undefined|NaN|[{}]/);
  }
});

test('temperatures of an alarm are written in the units of the bar and the numbers of the language', () => {
  const values = { sensor: 'Left', tempC: 12.5, limitC: 8 };
  const { paragraphs } = formatAlarm(
    'too_warm',
    values,
    { ...site, temperatureUnits: 'c' },
    daemonTexts('de'),
  );
  expect(paragraphs[0]).toBe('Left zeigt 12,5 °C und liegt seit einer Weile über 8,0 °C.');
});

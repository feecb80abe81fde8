import type { AlarmDeclaration, AlarmValueType } from '../../core/alarms/alarm-kinds.ts';
import type { Problem } from '../../core/health/problems.ts';
import type { Site } from '../../core/records.ts';
import type { DaemonTexts } from '../../system/catalogues.ts';
import { formatTemperature, formatTemperatureRise, formatVolume } from '../mail/mail-figures.ts';

interface AlarmText {
  readonly title: string;
  /** What happened, then what to do. */
  readonly paragraphs: readonly string[];
}

interface DescribedAlarm {
  readonly kind: string;
  readonly declaration: Pick<AlarmDeclaration, 'values'>;
  readonly values: Readonly<{ part?: unknown } & Record<string, unknown>>;
}

/** Formats the texts of an alarm from its stored values. */
export function formatAlarm(
  { kind, declaration, values }: DescribedAlarm,
  site: Site,
  texts: DaemonTexts,
): AlarmText {
  const types = Object.entries(declaration.values);
  const formatted = Object.fromEntries(
    types.map(([name, type]) => [name, formatValue(type, values[name], site, texts)]),
  );
  const find = (name: string) => texts.findText('mails', `${kind}.${name}`, formatted) ?? '';
  const title = find('subject') || kind;
  if (kind !== 'system_problem') return { title, paragraphs: [find('text'), find('advice')] };
  // The part of the machine says what its problems lead to.
  const effect = texts.findText('daemon.problems', String(values.part)) ?? '';
  return { title, paragraphs: [effect, find('text')].filter((text) => text !== '') };
}

function formatValue(type: AlarmValueType, value: unknown, site: Site, texts: DaemonTexts): string | number {
  switch (type) {
    case 'number':
      return Number(value);
    case 'text':
      return String(value ?? '');
    case 'temperature':
      return formatTemperature(Number(value), site, texts);
    case 'temperatureRise':
      return formatTemperatureRise(Number(value), site, texts);
    case 'volume':
      return formatVolume(Number(value), site, texts);
    case 'timeOfDay':
      return new Date(Number(value)).toLocaleTimeString(texts.language, {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: site.timeZone,
      });
    case 'healthPart':
      return texts.findText('mails.parts', String(value)) ?? String(value);
    case 'problems':
      return formatProblems(value as readonly Problem[], texts);
  }
}

const formatProblems = (problems: readonly Problem[], { findText }: DaemonTexts): string =>
  problems
    .map(
      ({ code, params, message }) =>
        findText('daemon.problemTexts', code, params) ?? findText('daemon.refusals', code, params) ?? message,
    )
    .join(' ');

import type { JournaledPour } from '../../core/pours/meter-pour.ts';

type Fields = Readonly<Record<string, unknown>>;

/** True if a value from the journal is a pour. Its checksum is correct, so only foreign data fails. */
export function isJournaledPour(value: unknown): value is JournaledPour {
  if (!isObject(value) || !isObject(value.pour) || !isMoment(value.at)) return false;
  if (!hasTickFields(value.pour)) return false;
  if (value.kind === 'open') return areNumbers(value.pour, ['lastTickMonoMs', 'minTicks']);
  return value.kind === 'ended' && areNumbers(value.pour, ['durationMs']) && Array.isArray(value.pour.doubts);
}

/** True if a checkpoint is a list of journaled pours. */
export function areJournaledPours(value: unknown): value is JournaledPour[] {
  return Array.isArray(value) && value.every(isJournaledPour);
}

function hasTickFields(pour: Fields): boolean {
  return (
    areStrings(pour, ['pourId', 'meter', 'bootId', 'series']) &&
    areNumbers(pour, ['ticks', 'startedMonoMs', 'rejectedEdges']) &&
    (pour.ticksLost === null || areNumbers(pour, ['ticksLost'])) &&
    (pour.position === undefined || isPosition(pour.position))
  );
}

function isPosition(value: unknown): boolean {
  return (
    isObject(value) &&
    areNumbers(value, ['total', 'atMonoMs']) &&
    areStrings(value, ['bootId']) &&
    (value.serialNumber === null || areStrings(value, ['serialNumber'])) &&
    (value.boardStartMonoMs === null || areNumbers(value, ['boardStartMonoMs']))
  );
}

function isMoment(value: unknown): boolean {
  return (
    isObject(value) &&
    areNumbers(value, ['monoMs', 'wallMs']) &&
    areStrings(value, ['bootId']) &&
    typeof value.synced === 'boolean'
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function areNumbers(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => Number.isFinite(value[name]));
}

function areStrings(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

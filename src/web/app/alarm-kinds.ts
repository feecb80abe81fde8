import { baseAlarms } from '../../core/alarms/alarm-kinds.ts';
import { webExtensions } from '../../extensions/pages.ts';
import { isFeatureOn } from './me.ts';

const kindsOf = (isShown: (feature: string) => boolean): readonly string[] => [
  ...Object.keys(baseAlarms),
  ...webExtensions.flatMap(({ name, alarmKinds = [] }) => (isShown(name) ? alarmKinds : [])),
];

/** The kinds of alarms that people choose from: those of the base and of the features that are on. */
export const shownAlarmKinds = (): readonly string[] => kindsOf(isFeatureOn);

/**
 * The kinds that a channel gets, null for all, when somebody chose `wanted` of the shown ones. Those of features that are off stay as
 * they were chosen `before`.
 */
export function chooseAlarmKinds(
  before: readonly string[] | null,
  wanted: readonly string[],
  shown: readonly string[] = shownAlarmKinds(),
): readonly string[] | null {
  const all = kindsOf(() => true);
  const chosen = all.filter((kind) =>
    shown.includes(kind) ? wanted.includes(kind) : (before?.includes(kind) ?? true),
  );
  return chosen.length === all.length ? null : chosen;
}

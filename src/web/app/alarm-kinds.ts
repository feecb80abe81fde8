import { baseAlarms } from '../../core/alarms/alarm-kinds.ts';
import { webExtensions } from '../../extensions/pages.ts';
import { isFeatureOn } from './me.ts';

const kindsOf = (isShown: (feature: string) => boolean): readonly string[] => [
  ...Object.keys(baseAlarms),
  ...webExtensions.flatMap(({ name, alarmKinds = [] }) => (isShown(name) ? alarmKinds : [])),
];

/** Every kind of alarm, also of features that are off. */
export const allAlarmKinds = (): readonly string[] => kindsOf(() => true);

/** The kinds of alarms that people choose from: those of the base and of the features that are on. */
export const shownAlarmKinds = (): readonly string[] => kindsOf(isFeatureOn);

import { isCalibrated } from '../../core/measurement/meter-knowledge.ts';
import { defaultTapName } from '../../core/taps/tap-names.ts';
import type { EngineParts } from '../shared/parts.ts';

/** The steps from the set-up to the first guest, in order. */
export const firstStepNames = [
  'name_taps',
  'tap_keg',
  'check_wiring',
  'calibrate',
  'invite_staff',
  'print_menu',
] as const;

export type FirstStepName = (typeof firstStepNames)[number];

export interface FirstStep {
  readonly name: FirstStepName;
  readonly isDone: boolean;
  /** The first tap that the step is still open for; null if it is done or not about a tap. */
  readonly tapId: number | null;
}

/** What staff do on their first day, each step with its state in the database. */
export function createFirstSteps({ store }: EngineParts) {
  /** Staff who edited a tap have seen its name. */
  const hasChanged = (tapId: number) =>
    store.reports.audit.count({
      seek: { subject_kind: 'tap', subject_id: String(tapId) },
      scan: { action: 'tap.changed' },
    }) > 0;

  function findSteps(): readonly FirstStep[] {
    const taps = store.taps.all();
    const meters = new Map(store.taps.meters.all().map((meter) => [meter.tapId, meter]));
    const metered = taps.filter(({ id }) => meters.has(id));
    /** About all taps in the list: open while it is empty. */
    const ofTaps = (
      name: FirstStepName,
      list: typeof taps,
      isOpen: (tap: (typeof taps)[number]) => boolean,
    ) => {
      const open = list.find(isOpen) ?? null;
      return { name, isDone: open === null && list.length > 0, tapId: open?.id ?? null };
    };
    const step = (name: FirstStepName, isDone: boolean) => ({ name, isDone, tapId: null });

    const hasTapped = store.kegs.count('on_tap') + store.kegs.count('finished') > 0;
    return [
      ofTaps('name_taps', taps, ({ id, name }) => name === defaultTapName && !hasChanged(id)),
      hasTapped ? step('tap_keg', true) : { name: 'tap_keg', isDone: false, tapId: taps[0]?.id ?? null },
      ofTaps('check_wiring', metered, ({ id }) => meters.get(id)?.ticksTotal === 0),
      ofTaps('calibrate', metered, ({ id }) => !isCalibrated(meters.get(id)!)),
      step('invite_staff', store.users.count({ isActive: true, isStaff: true }) > 1),
      step('print_menu', store.site.read().menuCodePrinted),
    ];
  }
  return {
    /** All steps in order. */
    list: store.cachedUntilWrite(findSteps),
  };
}

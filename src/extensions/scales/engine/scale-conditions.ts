import type { Store } from '../../../store/store.ts';
import type { ScaleAlarmCondition } from '../core/alarm-kinds.ts';
import type { Scales } from './scales.ts';

/** A finding that is over sooner was somebody who lifted the keg, milliseconds. */
const findingDelayMs = 10 * 60_000;

/** Scales that disagree with the meter of their tap; the finding that lasts longest is in the message. */
export const findScaleConditions = ({ taps }: Store, scales: Scales): readonly ScaleAlarmCondition[] =>
  scales.list().flatMap(({ scale, findings }): readonly ScaleAlarmCondition[] => {
    const tap = scale.tapId === null ? null : taps.byId(scale.tapId);
    if (tap === null) return [];
    const [first] = findings;
    return [
      {
        kind: 'scale_disagrees',
        subject: `scale-${scale.id}`,
        state: first === undefined ? 'good' : 'bad',
        lastsMs: findingDelayMs,
        clearsAfterMs: 0,
        values: {
          tap: tap.name,
          finding: first?.kind ?? '',
          scaleMl: first?.scaleMl ?? 0,
          meterMl: first?.meterMl ?? 0,
        },
      },
    ];
  });

import { type Condition, type Detector, minuteMs } from '../../../services/monitors/conditions/condition.ts';

/** A finding that is over sooner was somebody who lifted the keg, milliseconds. */
const findingDelayMs = 10 * minuteMs;

/** Scales that disagree with the meter of their tap; the finding that lasts longest is in the message. */
export const detectScaleFindings: Detector = (engine) =>
  engine.scales.list().flatMap(({ scale, findings }): readonly Condition[] => {
    const tap = scale.tapId === null ? null : engine.taps.find(scale.tapId);
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
          tap: tap.tap.name,
          finding: first?.kind ?? '',
          scaleMl: first?.scaleMl ?? 0,
          meterMl: first?.meterMl ?? 0,
        },
      },
    ];
  });

import type { ReadonlySignal } from '@preact/signals';
import { mlPerUkPint, mlPerUsPint } from '../../../../core/kegs/volume-units.ts';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { formatServing } from '../../../app/format.ts';
import type { CurrentPour } from '../../../app/live.ts';
import { t } from '../../../locales/locale.ts';
import { Odometer } from '../odometer.tsx';
import { PourButton } from '../pour-button.tsx';
import '../../../styles/taps/odometer.css';

/** About half a litre, as a glass of the site's units: the error of reading a jug is then below 1 %. */
const usualMl = { metric: 500, us: mlPerUsPint, uk: mlPerUkPint } as const;

interface RunningPourProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  readonly pour: ReadonlySignal<CurrentPour | null>;
}

/** The meter's tick count during a pour. */
export function RunningPour({ tap, snapshot, pour }: RunningPourProps) {
  const current = pour.value;
  const state = current === null ? 'idle' : current.running ? 'running' : 'ended';
  const count = { steps: current?.ticks ?? 0, decimals: 0, unit: t('calibration.ticks') } as const;
  return (
    <section class="group" aria-labelledby="calibration-pour">
      <h3 id="calibration-pour">1. {t('calibration.pour')}</h3>
      <div class="card group">
        <p>{t('calibration.pourHow', { volume: formatServing(usualMl[snapshot.volume_units], snapshot) })}</p>
        <div class="calibration-plate">
          <div class="meter" data-state={state}>
            <p class="meter-caption" aria-live="polite">
              {
                {
                  idle: t('calibration.waiting'),
                  running: t('calibration.pouring'),
                  ended: t('calibration.ended'),
                }[state]
              }
            </p>
            <Odometer count={count} />
          </div>
        </div>
        {snapshot.simulated && (
          <PourButton tap={tap} pouring={current?.running ?? false} snapshot={snapshot} />
        )}
      </div>
    </section>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { WiredMeter } from '../../../api/generated.ts';
import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';
import { type ActiveMeter, type Baseline, findActiveMeters, toBaseline } from './active-meters.ts';

/** Time to walk to the tap and pour before the advice is shown. */
const adviceDelayMs = 20_000;

interface PourTestProps {
  readonly meters: readonly WiredMeter[];
  readonly snapshot: SnapshotMessage;
}

/** Pour test: shows which meters tick, or advice when none does. */
export function PourTest({ meters, snapshot }: PourTestProps) {
  const baseline = useSignal<Baseline | null>(null);
  const isOverdue = useSignal(false);
  const isListening = baseline.value !== null;
  useEffect(() => {
    isOverdue.value = false;
    if (!isListening) return;
    const timer = setTimeout(() => {
      isOverdue.value = true;
    }, adviceDelayMs);
    return () => clearTimeout(timer);
  }, [isListening]);
  const activeMeters = baseline.value === null ? [] : findActiveMeters(baseline.value, meters);
  return (
    <section class="card pour-test" aria-labelledby="pour-test">
      <h3 id="pour-test">{t('wiring.which')}</h3>
      <div class="pour-test-text" aria-live="polite">
        {isListening && activeMeters.length === 0 && (
          <p>{isOverdue.value ? t('wiring.noTicks') : t('wiring.listening')}</p>
        )}
        {isOverdue.value && activeMeters.length === 0 && <p class="soft">{t('wiring.noTicksAdvice')}</p>}
        {activeMeters.map((active, i) => (
          <ActiveMeterRow
            key={active.meter.name}
            active={active}
            isFirst={i === 0 && !active.isNoise}
            snapshot={snapshot}
          />
        ))}
      </div>
      <button
        type="button"
        class="button"
        onClick={() => {
          baseline.value = isListening ? null : toBaseline(meters);
        }}
      >
        {isListening ? t('wiring.stopPourTest') : t('wiring.startPourTest')}
      </button>
    </section>
  );
}

interface ActiveMeterRowProps {
  readonly active: ActiveMeter;
  readonly isFirst: boolean;
  readonly snapshot: SnapshotMessage;
}

function ActiveMeterRow({ active: { meter, edges, isNoise }, isFirst, snapshot }: ActiveMeterRowProps) {
  const tap = snapshot.taps.find(({ id }) => id === meter.tap_id);
  return (
    <p class={isFirst ? 'pour-test-found' : 'pour-test-other'}>
      {formatResult(meter.name, tap?.name, { isFirst, isNoise })}{' '}
      <span class="pour-test-edges" aria-hidden="true">
        {edges}
      </span>
      {tap === undefined && !isNoise && (
        <>
          {' '}
          <a class="pour-test-other" href={toHref('/meters')}>
            {t('wiring.assignToTap')}
          </a>
        </>
      )}
    </p>
  );
}

function formatResult(
  meter: string,
  tap: string | undefined,
  { isFirst, isNoise }: { readonly isFirst: boolean; readonly isNoise: boolean },
): string {
  if (isNoise) return t('wiring.hasNoise', { where: tap ?? meter });
  if (tap === undefined) return t('wiring.noTapHere', { meter });
  return isFirst ? t('wiring.ticksHere', { tap, meter }) : t('wiring.alsoTicks', { tap, meter });
}

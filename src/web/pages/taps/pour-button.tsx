import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { servingText, simulatedServing } from '../../app/serving-sizes.ts';
import { t } from '../../locales/locale.ts';

/** Flow of a fast tap. */
const mlPerSecond = 60;
/** Faster pulses would fall into the meter's dead time and be rejected as bounce. */
const maxHz = 800;
/** Time for the first tick to arrive after the request, milliseconds; then the button is enabled again. */
const firstTickTimeoutMs = 2000;

interface PourButtonProps {
  readonly tap: LiveTap;
  readonly pouring: boolean;
  readonly snapshot: SnapshotMessage;
}

/** Button that makes a simulated meter pour one serving. */
export function PourButton({ tap, pouring, snapshot }: PourButtonProps) {
  const isBusy = useSignal(false);
  const isRequested = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);
  const { meter_name: meter, ticks_per_ml: ticksPerMl } = tap;
  // The response can arrive before the first tick: a second touch in between must not pour twice.
  useEffect(() => {
    if (pouring) isRequested.value = false;
    if (!isRequested.value) return;
    const timer = setTimeout(() => {
      isRequested.value = false;
    }, firstTickTimeoutMs);
    return () => clearTimeout(timer);
  }, [pouring, isRequested.value]);
  if (tap.meter_state !== 'simulated' || meter === null || ticksPerMl === null) return null;
  const serving = simulatedServing(tap, snapshot);
  const isDisabled = isBusy.value || isRequested.value || pouring;

  const pour = async (ticks: number, hz: number) => {
    if (isDisabled) return;
    isBusy.value = true;
    const answer = await request('POST /simulator/pulses', { body: { meter, ticks, hz } });
    refusal.value = answer.ok ? null : answer.sentence;
    isRequested.value = answer.ok;
    isBusy.value = false;
  };

  return (
    <div class="tap-pour">
      <button
        type="button"
        class="button"
        aria-disabled={isDisabled}
        onClick={() =>
          pour(
            Math.max(1, Math.round(serving.volume_ml * ticksPerMl)),
            Math.min(maxHz, Math.max(1, Math.round(mlPerSecond * ticksPerMl))),
          )
        }
      >
        {t('taps.simulatePour', { glass: servingText(serving, snapshot) })}
        <span class="visually-hidden"> {t('taps.atTap', { tap: tap.name })}</span>
      </button>
      <p class="refusal" aria-live="polite">
        {refusal.value}
      </p>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { words } from '../../../words/wiring.ts';

/** A pour of half a second. */
const shortPour = { ticks: 60, hz: 120 } as const;

/** Generates a short pour on a simulated meter. */
export function PulseButton({ meter }: { readonly meter: string }) {
  const error = useSignal<DisplayText | null>(null);
  return (
    <>
      <button
        type="button"
        class="chip"
        aria-label={words.testPourAt(meter)}
        onClick={async () => {
          const answer = await request('POST /simulator/pulses', { body: { meter, ...shortPour } });
          error.value = answer.ok ? null : answer.sentence;
        }}
      >
        {words.testPour}
      </button>
      <span class="refusal" aria-live="polite">
        {error.value}
      </span>
    </>
  );
}

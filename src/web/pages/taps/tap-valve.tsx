import { useSignal } from '@preact/signals';
import type { LiveTap } from '../../../http/live/shapes.ts';
import { type Result, request } from '../../api/client.ts';
import type { OpenValve } from '../../api/generated.ts';
import { tablet } from '../../app/me.ts';
import { pinUnlock } from '../../app/pin-unlock.ts';
import { showToast } from '../../components/toast.tsx';
import { invalidate, useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { Choice } from '../drinks/drink-dialog.tsx';

/** Minutes: a function test, a line to rinse, and the daemon's maximum. */
const openMinutes = [1, 3, 10] as const;
const refreshMs = 3_000;

interface TapValveProps {
  readonly tap: LiveTap;
  /** Called after the valve was opened or closed. */
  onDone(): void;
}

/**
 * Opens the valve of a tap for some minutes, or closes it, also one opened by a grant. Renders nothing
 * without a valve.
 */
export function TapValve({ tap, onDone }: TapValveProps) {
  const refusal = useSignal<Outcome['sentence'] | null>(null);
  const isBusy = useSignal(false);
  const toggleId = useResource('GET /taps/{ref}', { path: { ref: tap.id } }).result?.tap.toggle_id ?? null;
  // Without a PIN unlock the daemon rejects every request of a shared tablet.
  const canList = toggleId !== null && (tablet.value === null || pinUnlock.value !== null);
  const valves = useResource('GET /admin/valves', canList ? {} : null, { intervalMs: refreshMs });
  if (toggleId === null) return null;
  const openValve = canList ? findOpenValve(valves.result, toggleId) : undefined;

  async function run(pending: Promise<Outcome>, undo: (() => void) | null = null) {
    if (isBusy.value) return;
    isBusy.value = true;
    const settled = await pending;
    isBusy.value = false;
    refusal.value = settled.ok ? null : settled.sentence;
    if (!settled.ok) return;
    invalidate();
    showToast(settled.sentence, undo);
    onDone();
  }
  async function undoOpen(id: number) {
    const { ok, sentence } = await closeValve(tap, id);
    if (ok) invalidate();
    showToast(sentence);
  }

  return (
    <fieldset class="choice" aria-busy={isBusy.value}>
      <legend>{t('valve.valve')}</legend>
      <p class="choice-why">{openValve === undefined ? t('valve.why') : describeOpenValve(openValve)}</p>
      {openMinutes.map((minutes) => (
        <Choice
          key={minutes}
          onChoose={() => run(openValveFor(tap, toggleId, minutes), () => void undoOpen(toggleId))}
        >
          {t('valve.openFor', { minutes })}
        </Choice>
      ))}
      <Choice onChoose={() => run(closeValve(tap, toggleId))}>{t('valve.close')}</Choice>
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
    </fieldset>
  );
}

/** Outcome of an action, as text. */
interface Outcome {
  readonly ok: boolean;
  readonly sentence: Parameters<typeof showToast>[0];
}

async function openValveFor(tap: LiveTap, id: number, minutes: number): Promise<Outcome> {
  const answer = await request('POST /flow-toggles/{id}/open', {
    path: { id },
    body: { seconds: minutes * 60 },
  });
  return answer.ok ? { ok: true, sentence: t('valve.opened', { tap: tap.name, minutes }) } : answer;
}

/** Closes the valve and ends its grant. A network kegboard closes it when it next reports. */
async function closeValve(tap: LiveTap, id: number): Promise<Outcome> {
  const answer = await request('POST /flow-toggles/{id}/close', { path: { id } });
  if (!answer.ok) return answer;
  const isLocal = answer.result.board === null;
  return {
    ok: true,
    sentence: isLocal ? t('valve.closed', { tap: tap.name }) : t('valve.closesSoon', { tap: tap.name }),
  };
}

const findOpenValve = (result: Result<'GET /admin/valves'> | null, id: number): OpenValve | undefined =>
  result?.valves.find((valve) => valve.flow_toggle.id === id);

const describeOpenValve = ({ manual: isManual, seconds_left: seconds }: OpenValve): string =>
  isManual ? t('valve.openManually', { seconds }) : t('valve.openByPermission', { seconds });

import type { LiveTap } from '../../../http/live/shapes.ts';
import { type Answer, type Result, request } from '../../api/client.ts';
import type { OpenValve } from '../../api/generated.ts';
import { tablet } from '../../app/me.ts';
import { pinUnlock } from '../../app/pin-unlock.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { showToast } from '../../components/toast.tsx';
import { invalidate, useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

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
  const action = useAction();
  const toggleId = useResource('GET /taps/{ref}', { path: { ref: tap.id } }).result?.tap.toggle_id ?? null;
  // Without a PIN unlock the daemon rejects every request of a shared tablet.
  const canList = toggleId !== null && (tablet.value === null || pinUnlock.value !== null);
  const valves = useResource('GET /admin/valves', canList ? {} : null, { intervalMs: refreshMs });
  if (toggleId === null) return null;
  const openValve = canList ? findOpenValve(valves.result, toggleId) : undefined;

  async function run<R>(send: () => Promise<Answer<R>>, success: (result: R) => void) {
    const answer = await action.runAction(send, success);
    if (answer?.ok) onDone();
  }
  const open = (minutes: number) =>
    run(
      () =>
        request('POST /flow-toggles/{id}/open', { path: { id: toggleId }, body: { seconds: minutes * 60 } }),
      () => showToast(t('valve.opened', { tap: tap.name, minutes }), () => void closeAgain(tap, toggleId)),
    );

  return (
    <fieldset class="choice">
      <legend>{t('valve.valve')}</legend>
      <p class="choice-why">
        {openValve !== undefined
          ? describeOpenValve(openValve)
          : t(tap.meter_name === null ? 'taps.unmetered' : 'valve.why')}
      </p>
      <ActionGroup action={action} class="choice">
        {openMinutes.map((minutes) => (
          <Choice key={minutes} onChoose={() => open(minutes)}>
            {t('valve.openFor', { minutes })}
          </Choice>
        ))}
        <Choice
          onChoose={() =>
            run(
              () => closeValve(toggleId),
              (closed) => showToast(closedText(tap, closed)),
            )
          }
        >
          {t('valve.close')}
        </Choice>
      </ActionGroup>
    </fieldset>
  );
}

const closeValve = (id: number) => request('POST /flow-toggles/{id}/close', { path: { id } });

/** Undoes an opening. */
async function closeAgain(tap: LiveTap, id: number) {
  const answer = await closeValve(id);
  if (answer.ok) invalidate();
  showToast(answer.ok ? closedText(tap, answer.result) : answer.sentence);
}

/** A network kegboard closes its valve when it next reports. */
const closedText = (tap: LiveTap, { board }: Result<'POST /flow-toggles/{id}/close'>): string =>
  board === null ? t('valve.closed', { tap: tap.name }) : t('valve.closesSoon', { tap: tap.name });

const findOpenValve = (result: Result<'GET /admin/valves'> | null, id: number): OpenValve | undefined =>
  result?.valves.find((valve) => valve.flow_toggle.id === id);

const describeOpenValve = ({ manual: isManual, seconds_left: seconds }: OpenValve): string =>
  isManual ? t('valve.openManually', { seconds }) : t('valve.openByPermission', { seconds });

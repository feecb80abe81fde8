import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Result, request } from '../../api/client.ts';
import { newestDrinkId } from '../../app/live.ts';
import { loadMe } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import '../../styles/site/first-steps.css';

type Step = Result<'GET /first-steps'>['steps'][number];

interface FirstStepsProps {
  readonly snapshot: SnapshotMessage;
  /** Opens the dialog of a tap. */
  onTapKeg(tapId: string): void;
}

/**
 * What staff do between the set-up and the first guest, each step with a link, ticked off by the state of the bar. Open
 * until half is done, then one line; gone when all is done or it was hidden for all staff.
 */
export function FirstSteps({ snapshot, onTapKeg }: FirstStepsProps) {
  const { result } = useResource('GET /first-steps', {}, { reloadKey: stateKey(snapshot) });
  /** Null until the user opens or closes the list. */
  const isOpen = useSignal<boolean | null>(null);
  const { runAction, error } = useAction();
  const steps = result?.steps ?? [];
  const done = steps.filter((step) => step.is_done).length;
  if (done === steps.length) return null;

  const hide = () =>
    runAction(
      () => setShown(false),
      () => {
        showToast(t('firstSteps.hidden'), () => void undo(() => setShown(true)));
      },
    );
  return (
    <details
      class="first-steps"
      open={isOpen.value ?? done < steps.length / 2}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>
        {t('firstSteps.title')}{' '}
        <span class="soft">
          {t('firstSteps.progress', { done: String(done), count: String(steps.length) })}
        </span>
      </summary>
      <ErrorMessage>{error}</ErrorMessage>
      <ol class="first-step-list" aria-label={t('firstSteps.title')}>
        {steps.map((step) => (
          <li key={step.name} class={step.is_done ? 'first-step is-done' : 'first-step'}>
            <span class="first-step-mark" aria-hidden="true">
              {step.is_done ? '✓' : '○'}
            </span>
            <span>
              <StepLink step={step} onTapKeg={onTapKeg}>
                {t(`firstSteps.steps.${step.name}`)}
              </StepLink>
              <span class="visually-hidden">
                {' '}
                {step.is_done ? t('firstSteps.done') : t('firstSteps.open')}
              </span>
            </span>
          </li>
        ))}
      </ol>
      <button type="button" class="chip" onClick={() => void hide()}>
        {t('firstSteps.hide')}
      </button>
    </details>
  );
}

/** Shows or hides the list for all staff. */
async function setShown(isShown: boolean) {
  const answer = await request('PATCH /site', { body: { show_first_steps: isShown } });
  if (answer.ok) await loadMe();
  return answer;
}

/** Changes when a step may have become done or open. */
const stateKey = (snapshot: SnapshotMessage): string =>
  JSON.stringify([
    newestDrinkId(snapshot),
    snapshot.held,
    snapshot.taps.map(({ name, keg, calibrated }) => [name, keg?.id, calibrated]),
  ]);

interface StepLinkProps {
  readonly step: Step;
  onTapKeg(tapId: string): void;
  readonly children: ComponentChildren;
}

/** The place where a step is done: a page, or the dialog of the first tap. */
function StepLink({ step: { name, tap_id: tapId, is_done: isDone }, onTapKeg, children }: StepLinkProps) {
  if (name === 'tap_keg' && tapId !== null && !isDone)
    return (
      <button type="button" class="link" onClick={() => onTapKeg(tapId)}>
        {children}
      </button>
    );
  return <a href={toHref(stepPath(name, tapId))}>{children}</a>;
}

function stepPath(name: Step['name'], tapId: string | null): string {
  switch (name) {
    case 'name_taps':
      return '/taps';
    case 'tap_keg':
      return '/kegs';
    case 'check_wiring':
      return '/wiring';
    case 'calibrate':
      return tapId === null ? '/wiring' : `/taps/${tapId}/calibrate`;
    case 'invite_staff':
      return '/users';
    case 'print_menu':
      return '/menu/qr';
  }
}

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../api/client.ts';
import type { HeldPour, ReducedDrink } from '../../api/generated.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { canAct, me, tablet } from '../../app/me.ts';
import { usePageTitle } from '../../app/page-title.ts';
import { pinUnlock } from '../../app/pin-unlock.ts';
import { toHref } from '../../app/routing.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { findText, t } from '../../locales/locale.ts';
import { LogIn } from '../users/auth/log-in.tsx';
import { PulseTrace } from './pulse-trace.tsx';
import '../../styles/shared/dialog.css';
import '../../styles/drinks/held-pours.css';
import '../../styles/shared/pages.css';

/**
 * Page of pours held for review: implausible ones, and those of a meter without a tap. Staff keep or discard
 * each.
 */
export function HeldPours({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const pours = useSignal<readonly HeldPour[] | null>(null);
  const reduced = useSignal<readonly ReducedDrink[]>([]);
  const refusal = useSignal<DisplayText | null>(null);
  const canReview = canAct.value;

  // Only the first load may open the PIN dialog; reloads happen without an action of the user.
  usePageTitle(t('heldPours.title'));
  const hasLoaded = useRef(false);

  async function load() {
    const login = hasLoaded.current ? 'never' : 'prompt';
    hasLoaded.current = true;
    const answer = await request('GET /held-pours', {}, { login });
    refusal.value = answer.ok ? null : answer.sentence;
    if (!answer.ok) return;
    pours.value = answer.result.held_pours;
    reduced.value = answer.result.reduced_drinks;
  }
  // The snapshot's count changes when a pour is kept or discarded elsewhere.
  useEffect(() => {
    // Without a PIN unlock the daemon rejects a shared tablet's request.
    const isLocked = tablet.value !== null && pinUnlock.value === null && hasLoaded.current;
    if (canReview && !isLocked) void load();
  }, [canReview, snapshot.held, snapshot.drinks[0]?.id]);

  return (
    <main class="page">
      <h2 class="page-title">{t('heldPours.title')}</h2>
      {me.value === null && !canReview && <LogIn why={t('auth.logInWhy')} />}
      {me.value !== null && !canReview && <p class="refusal">{t('auth.staffOnly')}</p>}
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
      {canReview && pours.value?.length === 0 && reduced.value.length === 0 && (
        <EmptyState text={t('heldPours.none')} action={t('drinkerPage.showTaps')} path="/" />
      )}
      <ul class="held-list">
        {canReview &&
          pours.value?.map((pour) => (
            <HeldCard key={pour.id} pour={pour} snapshot={snapshot} onDone={load} />
          ))}
      </ul>
      {canReview && reduced.value.length > 0 && (
        <section class="group" aria-labelledby="reduced-drinks">
          <h3 id="reduced-drinks">{t('heldPours.reduced')}</h3>
          <p class="soft">{t('heldPours.reducedHint')}</p>
          <ul class="held-list">
            {reduced.value.map((drink) => (
              <ReducedCard key={drink.id} drink={drink} snapshot={snapshot} onDone={load} />
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

interface HeldCardProps {
  readonly pour: HeldPour;
  readonly snapshot: SnapshotMessage;
  onDone(): void;
}

function HeldCard({ pour, snapshot, onDone }: HeldCardProps) {
  const action = useAction();
  const path = { id: pour.id };
  const suggestedTap = snapshot.taps.find((tap) => tap.id === pour.suggested_tap_id);
  const chosenTap = useSignal(suggestedTap?.id ?? '');

  const decide = (send: () => Promise<Answer<unknown>>, done: string) =>
    action.runAction(send, () => {
      showToast(done, () => void undo(() => request('POST /held-pours/{id}/undo', { path })).then(onDone));
      onDone();
    });
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    const tap = chosenTap.value;
    // The daemon assigns the suggested tap itself.
    const body = tap === suggestedTap?.id ? {} : { tap };
    void decide(() => request('POST /held-pours/{id}/keep', { path, body }), t('heldPours.kept'));
  };
  const discard = () =>
    decide(() => request('POST /held-pours/{id}/discard', { path }), t('heldPours.discarded'));

  return (
    <li class="held-card">
      <p class="held-volume">{formatQuantity(volume(pour.volume_ml, snapshot))}</p>
      <p class="held-facts">
        {[
          formatBarTime(barTime(pour.pour_time, snapshot)),
          t('heldPours.seconds', { duration: String(pour.duration) }),
          suggestedTap?.name ?? pour.meter_name,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p>{findText('heldPours.reasons', pour.held_reason) ?? pour.held_reason}</p>
      <PulseTrace series={pour.series} />
      <form onSubmit={keep}>
        <ActionGroup action={action} class="choice">
          <TapField taps={snapshot.taps} chosen={chosenTap} />
          <button type="submit" class="button" aria-disabled={action.isBusy || undefined}>
            {t('heldPours.keepOn')}
          </button>
          <Choice onChoose={discard}>{t('heldPours.discard')}</Choice>
        </ActionGroup>
      </form>
    </li>
  );
}

interface ReducedCardProps {
  readonly drink: ReducedDrink;
  readonly snapshot: SnapshotMessage;
  onDone(): void;
}

/** A drink of which a part was taken for gas or foam. */
function ReducedCard({ drink, snapshot, onDone }: ReducedCardProps) {
  const action = useAction();
  const path = { id: drink.id };
  const formatVolume = (ml: number) => formatQuantity(volume(ml, snapshot));
  const tap = snapshot.taps.find(({ id }) => id === drink.tap_id);
  const countAll = () =>
    action.runAction(
      () => request('POST /drinks/{id}/count-as-beer', { path }),
      () => {
        showToast(
          t('drinks.allBeerDone'),
          () => void undo(() => request('POST /drinks/{id}/undo', { path })).then(onDone),
        );
        onDone();
      },
    );
  return (
    <li class="held-card">
      <p class="held-volume">{formatVolume(drink.left_out_ml)}</p>
      <p class="held-facts">
        {[formatBarTime(barTime(drink.pour_time, snapshot)), tap?.name].filter(Boolean).join(' · ')}
      </p>
      <p>
        {t(`heldPours.takenFor.${drink.taken_for}`)}{' '}
        <a href={toHref(`/drinks/${drink.id}`)}>
          {t('heldPours.counted', { volume: formatVolume(drink.volume_ml) })}
        </a>
      </p>
      <ActionGroup action={action} class="choice">
        <Choice onChoose={countAll}>{t('drinks.allBeer')}</Choice>
      </ActionGroup>
    </li>
  );
}

interface TapFieldProps {
  readonly taps: readonly LiveTap[];
  /** Id of the tap; empty for none. */
  readonly chosen: Signal<string>;
}

/** The tap that the pour is recorded at. */
function TapField({ taps, chosen }: TapFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t('common.tap')}</label>
      <select
        id={id}
        value={chosen.value}
        required
        onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
      >
        {chosen.value === '' && <option value="">{t('heldPours.chooseTap')}</option>}
        {taps.map((tap) => (
          <option key={tap.id} value={tap.id}>
            {tap.name}
          </option>
        ))}
      </select>
    </div>
  );
}

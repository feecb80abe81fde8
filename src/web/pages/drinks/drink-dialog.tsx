import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveDrink, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { Keg } from '../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { canAct, me, showsDrinkers } from '../../app/me.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { limitsWithoutKeg, type VolumeLimits } from '../../components/form/typed-volume.ts';
import { t } from '../../locales/locale.ts';
import { LogIn } from '../users/auth/log-in.tsx';
import { assignAll, createCorrections } from './corrections.ts';
import { type SentClaim, SentClaimChoice, sentClaim } from './sent-claim.tsx';
import { UserPicker } from './user-picker.tsx';
import { VolumePicker } from './volume-picker.tsx';
import '../../styles/shared/dialog.css';

interface DrinkDialogProps {
  readonly drink: LiveDrink;
  readonly snapshot: SnapshotMessage;
  onClose(): void;
}

/** Dialog with all corrections of a drink, each one touch. */
export default function DrinkDialog({ drink, snapshot, onClose }: DrinkDialogProps) {
  return (
    <Dialog title={formatTitle(drink, snapshot)} onClose={onClose}>
      {me.value === null && !canAct.value && <LogIn why={t('auth.logInWhy')} />}
      {me.value !== null && !canAct.value && <p class="refusal">{t('auth.staffOnly')}</p>}
      {canAct.value && <Choices drink={drink} snapshot={snapshot} onClose={onClose} />}
    </Dialog>
  );
}

function Choices({ drink, snapshot, onClose }: DrinkDialogProps) {
  const action = useAction();
  const { keg, claim, hasGasOrFoam } = useDrinkDetails(drink.id);
  const kegId = keg === null ? null : keg?.id;
  const appliesToAll = useSignal(false);
  const corrections = createCorrections(drink.id, action.runAction);
  const previous = findPreviousAtTap(drink, snapshot);

  async function run(correction: ReturnType<typeof action.runAction>) {
    const answer = await correction;
    if (answer?.ok) onClose();
  }

  return (
    <ActionGroup action={action} class="choices">
      <fieldset class="choice">
        <legend>{t('drinks.changeTo')}</legend>
        <Choice onChoose={() => run(corrections.cancel(true))}>{t('drinks.spilled')}</Choice>
        <Choice onChoose={() => run(corrections.cancel(false))}>{t('drinks.cancel')}</Choice>
        {hasGasOrFoam && (
          <Choice onChoose={() => run(corrections.countAsBeer())}>{t('drinks.allBeer')}</Choice>
        )}
        <Choice onChoose={() => run(corrections.split(drink.volume_ml / 2))}>{t('drinks.split')}</Choice>
        {previous && (
          <Choice onChoose={() => run(corrections.joinWith(previous.id))}>
            {t('drinks.mergeWithPrevious')}
          </Choice>
        )}
      </fieldset>
      {showsDrinkers.value && claim && <SentClaimChoice claim={claim} appliesToAll={appliesToAll} />}
      {showsDrinkers.value && (
        <UserPicker
          current={drink.user_id}
          onChoose={(username) =>
            run(
              claim && appliesToAll.value && username !== null
                ? assignAll(claim, username, action.runAction)
                : corrections.reassign(username),
            )
          }
        />
      )}
      <VolumePicker
        currentMl={drink.volume_ml}
        limits={toLimits(drink, keg ?? null)}
        tap={snapshot.taps.find(({ id }) => id === drink.tap_id) ?? null}
        snapshot={snapshot}
        onChoose={(ml) => run(corrections.setVolume(ml))}
      />
      <fieldset class="choice">
        <legend>{t('drinks.whichKeg')}</legend>
        {snapshot.taps.map(
          ({ keg, beverage, id }) =>
            keg && (
              <Choice key={id} isChosen={keg.id === kegId} onChoose={() => run(corrections.moveTo(keg.id))}>
                {beverage?.name ?? t('kegs.keg', { id: keg.id })}
              </Choice>
            ),
        )}
        <Choice isChosen={kegId === null} onChoose={() => run(corrections.moveTo(null))}>
          {t('kegs.noKegAtAll')}
        </Choice>
      </fieldset>
    </ActionGroup>
  );
}

interface DrinkDetails {
  /** Undefined before the response. */
  readonly keg: Keg | null | undefined;
  /** What was sent with the pour. */
  readonly claim: SentClaim | null;
  /** Part of the pour was taken for gas or foam. */
  readonly hasGasOrFoam: boolean;
}

/** Loads what the list of drinks does not show. */
function useDrinkDetails(id: number) {
  const details = useSignal<DrinkDetails>({ keg: undefined, claim: null, hasGasOrFoam: false });
  useEffect(() => {
    void request('GET /drinks/{id}', { path: { id } }).then((answer) => {
      if (!answer.ok) return;
      const { keg, drink } = answer.result;
      const { gas_ticks: gas = 0, foam_ticks: foam = 0 } = drink;
      details.value = { keg, claim: sentClaim(drink), hasGasOrFoam: gas + foam > 0 };
    });
  }, [id]);
  return details.value;
}

/** A corrected drink can be as large as itself and what its keg has left. */
const toLimits = (drink: LiveDrink, keg: Keg | null): VolumeLimits =>
  keg === null
    ? limitsWithoutKeg
    : { leftMl: Math.max(0, keg.volume_ml_remain) + drink.volume_ml, maxMl: keg.full_volume_ml };

/** Finds the previous pour at the same tap; only this one can be merged with the drink. */
function findPreviousAtTap(drink: LiveDrink, snapshot: SnapshotMessage): LiveDrink | undefined {
  return snapshot.drinks.find((other) => other.id < drink.id && other.tap_id === drink.tap_id);
}

function formatTitle(drink: LiveDrink, snapshot: SnapshotMessage): string {
  const when = formatBarTime(barTime(drink.pour_time, snapshot));
  return [
    formatQuantity(volume(drink.volume_ml, snapshot)),
    drink.beverage_name ?? t('drinks.noKegOnTap'),
    when,
  ].join(' · ');
}

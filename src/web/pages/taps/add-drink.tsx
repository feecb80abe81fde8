import { useSignal } from '@preact/signals';
import type { LiveDrink, LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import { showsDrinkers } from '../../app/me.ts';
import type { Action } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { limitsWithoutKeg, type VolumeLimits } from '../../components/form/typed-volume.ts';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { UserPicker } from '../drinks/user-picker.tsx';
import { VolumePicker } from '../drinks/volume-picker.tsx';

/** Names beside the guest that leave the servings in sight on a tablet. */
const maxPeople = 5;

interface AddDrinkProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  readonly runAction: Action['runAction'];
  onDone(): void;
}

/** Records a drink or a spill by hand: who, and how much, which sends it. Use it inside an `ActionGroup`. */
export function AddDrink({ tap, snapshot, runAction, onDone }: AddDrinkProps) {
  const isSpill = useSignal(false);
  const username = useSignal<string | null>(null);

  async function record(ml: number) {
    const body = {
      volume_ml: ml,
      spilled: isSpill.value,
      ...(username.value !== null && !isSpill.value && { username: username.value }),
    };
    const answer = await runAction(
      () => request('POST /taps/{ref}/record-drink', { path: { ref: tap.id }, body }),
      ({ drink, correction_id: id }) =>
        showToast(
          drink ? t('taps.recorded') : t('drinks.spilledDone'),
          id === null ? null : () => void undoCorrection(id),
        ),
    );
    if (answer?.ok) onDone();
  }

  return (
    <>
      <fieldset class="choice">
        <legend>{t('taps.manualPour')}</legend>
        <Choice isChosen={!isSpill.value} onChoose={() => (isSpill.value = false)}>
          {t('taps.drink')}
        </Choice>
        <Choice isChosen={isSpill.value} onChoose={() => (isSpill.value = true)}>
          {t('drinks.spilled')}
        </Choice>
      </fieldset>
      {!isSpill.value && showsDrinkers.value && (
        <UserPicker
          current={username.value}
          recent={listRecentPeople(snapshot.drinks)}
          maxShown={maxPeople}
          onChoose={(name) => (username.value = name)}
        />
      )}
      <VolumePicker
        currentMl={null}
        limits={tapLimits(tap)}
        tap={tap}
        snapshot={snapshot}
        onChoose={record}
      />
    </>
  );
}

/** People of the last drinks, the latest first. */
const listRecentPeople = (drinks: readonly LiveDrink[]): readonly string[] => [
  ...new Set(drinks.flatMap(({ user_id: name }) => name ?? [])),
];

const tapLimits = ({ keg }: LiveTap): VolumeLimits =>
  keg === null ? limitsWithoutKeg : { leftMl: keg.volume_ml_remain, maxMl: keg.full_volume_ml };

import { type Signal, useSignal } from '@preact/signals';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { type Answer, request } from '../../../api/client.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { Choice } from '../../../components/form/choice.tsx';
import type { Undoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { changedAtField, KegChangeTime } from './keg-change-time.tsx';

interface EndKegChoicesProps {
  readonly tap: Pick<LiveTap, 'id' | 'has_fob' | 'keg' | 'other_taps'>;
  readonly units: Units;
  /** When the keg was changed; empty: now. */
  readonly changedAt: Signal<string>;
  /** `done` says what became of the keg. */
  onEnd(send: () => Promise<Answer<Undoable>>, done: string): void;
}

/**
 * The buttons that end the keg on a tap, or take it off with what is left. With a foam-on-beer detector no gas shows that a keg is
 * empty, so staff are asked: the meter learns from kegs that ran dry only. Use it inside an `ActionGroup`.
 */
export function EndKegChoices({ tap, units, changedAt, onEnd }: EndKegChoicesProps) {
  const isAsking = useSignal(false);
  const end = (body: { ran_dry?: boolean }) => {
    isAsking.value = false;
    const timed = { ...body, ...changedAtField(changedAt) };
    onEnd(() => request('POST /taps/{ref}/end-keg', { path: { ref: tap.id }, body: timed }), t('kegs.ended'));
  };
  const { keg } = tap;
  const takeOff = (kegId: number, leftMl: number) => {
    isAsking.value = false;
    onEnd(
      () =>
        request('DELETE /taps/{ref}/kegs/{keg_id}', {
          path: { ref: tap.id, keg_id: kegId },
          query: changedAtField(changedAt),
        }),
      // It stays on the other taps of a split line.
      tap.other_taps.length > 0
        ? t('kegs.disconnected')
        : t('kegs.takenOff', { volume: formatQuantity(volume(Math.max(0, leftMl), units)) }),
    );
  };
  const takeOffChoice = keg !== null && (
    <Choice onChoose={() => takeOff(keg.id, keg.volume_ml_remain)}>{t('kegs.takeOff')}</Choice>
  );
  const askOrEnd = () => {
    if (tap.has_fob) isAsking.value = true;
    else end({});
  };
  if (!isAsking.value) {
    return (
      <>
        <Choice onChoose={askOrEnd}>{t('kegs.endKeg')}</Choice>
        {takeOffChoice}
        <KegChangeTime tapId={tap.id} units={units} changedAt={changedAt} />
      </>
    );
  }
  return (
    <>
      <p class="choice-why">{t('kegs.ranDryQuestion')}</p>
      <Choice onChoose={() => end({ ran_dry: true })}>{t('kegs.ranDry')}</Choice>
      {takeOffChoice}
      <Choice onChoose={() => (isAsking.value = false)}>{t('common.cancel')}</Choice>
    </>
  );
}

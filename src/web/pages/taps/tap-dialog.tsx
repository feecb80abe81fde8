import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../api/client.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { showToast } from '../../components/toast.tsx';
import { invalidate } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { undo } from '../drinks/corrections.ts';
import { Choice } from '../drinks/drink-dialog.tsx';
import { VolumePicker } from '../drinks/volume-picker.tsx';
import { KegPicker } from '../kegs/keg-picker.tsx';
import { NewKegForm } from '../kegs/new-keg-form.tsx';
import { NextBeerPicker } from '../kegs/next-beer-picker.tsx';
import { TapValve } from './tap-valve.tsx';
import '../../styles/dialog.css';

interface TapDialogProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  onClose(): void;
}

/**
 * Dialog of staff actions at a tap: add a drink or spill, change the keg, set the next beer, open or close
 * the valve.
 */
export default function TapDialog({ tap, snapshot, onClose }: TapDialogProps) {
  const busy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);
  const isSpill = useSignal(false);
  const isNew = useSignal(false);
  const path = { ref: String(tap.id) };

  async function run<R>(pending: Promise<Answer<R>>, done: (result: R) => void) {
    if (busy.value) return;
    busy.value = true;
    const answer = await pending;
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    if (!answer.ok) return;
    invalidate();
    done(answer.result);
    onClose();
  }

  const recordDrink = (ml: number) =>
    run(
      request('POST /taps/{ref}/record-drink', { path, body: { volume_ml: ml, spilled: isSpill.value } }),
      ({ drink }) => {
        if (drink) showToast(t('taps.recorded'), () => void cancelDrink(drink.id));
        else showToast(t('drinks.spilledDone'));
      },
    );

  const nextKegId = tap.next?.keg_id ?? null;
  const attachKeg = (kegId: number) =>
    run(request('POST /taps/{ref}/attach-keg', { path, body: { keg_id: kegId } }), () =>
      showToast(t('kegs.tapped')),
    );

  return (
    <Dialog title={tap.name} onClose={onClose}>
      <div class="choices" aria-busy={busy.value}>
        <p class="refusal" role="alert">
          {refusal.value}
        </p>
        <fieldset class="choice">
          <legend>{t('taps.manualPour')}</legend>
          <Choice isChosen={!isSpill.value} onChoose={() => (isSpill.value = false)}>
            {t('taps.drink')}
          </Choice>
          <Choice isChosen={isSpill.value} onChoose={() => (isSpill.value = true)}>
            {t('drinks.spilled')}
          </Choice>
        </fieldset>
        <VolumePicker currentMl={null} units={snapshot} onChoose={recordDrink} />
        {tap.keg === null && (
          <>
            {nextKegId !== null && (
              <Choice onChoose={() => attachKeg(nextKegId)}>
                {t('nextBeer.tapNext', { beer: tap.next?.name ?? '' })}
              </Choice>
            )}
            <KegPicker units={snapshot} onChoose={attachKeg} />
            {isNew.value ? (
              <NewKegForm
                onSend={(keg) =>
                  run(request('POST /taps/{ref}/start-keg', { path, body: keg }), () =>
                    showToast(t('kegs.tapped')),
                  )
                }
              />
            ) : (
              <Choice onChoose={() => (isNew.value = true)}>{t('kegs.newKeg')}</Choice>
            )}
          </>
        )}
        {tap.keg !== null && (
          <fieldset class="choice">
            <legend>{t('kegs.keg', { id: tap.keg.id })}</legend>
            <Choice
              onChoose={() =>
                run(request('POST /taps/{ref}/end-keg', { path }), () => showToast(t('kegs.offTap')))
              }
            >
              {t('kegs.endKeg')}
            </Choice>
          </fieldset>
        )}
        <NextBeerPicker tap={tap} units={snapshot} />
        <TapValve tap={tap} onDone={onClose} />
      </div>
    </Dialog>
  );
}

/** Cancels a manually recorded drink, with undo. */
async function cancelDrink(id: number) {
  const path = { id };
  const answer = await request('DELETE /drinks/{id}', { path });
  if (answer.ok) invalidate();
  const undoCancel = () => void undo(request('POST /drinks/{id}/undo', { path }));
  showToast(answer.ok ? t('drinks.cancelled') : answer.sentence, answer.ok ? undoCancel : null);
}

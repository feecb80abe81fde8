import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../api/client.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { invalidate } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
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
  const action = useAction();
  const isSpill = useSignal(false);
  const isNew = useSignal(false);
  const path = { ref: String(tap.id) };

  async function run<R>(send: () => Promise<Answer<R>>, success: string | ((result: R) => void)) {
    const answer = await action.runAction(send, success);
    if (answer?.ok) onClose();
  }

  const recordDrink = (ml: number) =>
    run(
      () =>
        request('POST /taps/{ref}/record-drink', { path, body: { volume_ml: ml, spilled: isSpill.value } }),
      ({ drink }) => {
        if (drink) showToast(t('taps.recorded'), () => void cancelDrink(drink.id));
        else showToast(t('drinks.spilledDone'));
      },
    );

  const nextKegId = tap.next?.keg_id ?? null;
  const attachKeg = (kegId: number) =>
    run(() => request('POST /taps/{ref}/attach-keg', { path, body: { keg_id: kegId } }), t('kegs.tapped'));

  return (
    <Dialog title={tap.name} onClose={onClose}>
      <ActionGroup action={action} class="choices">
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
                onSend={(send) =>
                  run(
                    () => send((keg) => request('POST /taps/{ref}/start-keg', { path, body: keg })),
                    t('kegs.tapped'),
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
              onChoose={() => run(() => request('POST /taps/{ref}/end-keg', { path }), t('kegs.offTap'))}
            >
              {t('kegs.endKeg')}
            </Choice>
          </fieldset>
        )}
        <NextBeerPicker tap={tap} units={snapshot} />
        <TapValve tap={tap} onDone={onClose} />
      </ActionGroup>
    </Dialog>
  );
}

/** Cancels a manually recorded drink, with undo. */
async function cancelDrink(id: number) {
  const path = { id };
  const answer = await request('DELETE /drinks/{id}', { path });
  if (answer.ok) invalidate();
  const undoCancel = () => void undo(() => request('POST /drinks/{id}/undo', { path }));
  showToast(answer.ok ? t('drinks.cancelled') : answer.sentence, answer.ok ? undoCancel : null);
}

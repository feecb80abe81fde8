import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { t } from '../../locales/locale.ts';
import { EditBeerLink } from '../kegs/beers/edit-beer-link.tsx';
import { ChooseKeg, EndKeg } from '../kegs/on-tap/change-keg.tsx';
import { NextBeerPicker } from '../kegs/on-tap/next-beer-picker.tsx';
import { AddDrink } from './add-drink.tsx';
import { EditTapLink } from './edit-tap-link.tsx';
import { TapValve } from './tap-valve.tsx';
import '../../styles/shared/dialog.css';

interface TapDialogProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  onClose(): void;
}

/**
 * Dialog of staff actions at a tap: change the keg, add a drink or spill, set the next beer, open or close the valve. It
 * stays open after a keg was ended, to choose the one that takes its place; then nothing is announced here.
 */
export default function TapDialog({ tap, snapshot, onClose }: TapDialogProps) {
  const action = useAction();
  /** The keg that was ended here: the live state may still show it for a moment. */
  const endedKegId = useSignal<number | null>(null);
  /** The next keg was put on the tap when this one was taken off. */
  const changedAt = useSignal('');
  const keg = tap.keg !== null && tap.keg.id === endedKegId.value ? null : tap.keg;
  const { runAction } = action;
  return (
    <Dialog title={tap.name} onClose={onClose}>
      <ActionGroup action={action} class="choices">
        {keg === null ? (
          <ChooseKeg
            tap={tap}
            snapshot={snapshot}
            runAction={runAction}
            changedAt={changedAt}
            onDone={onClose}
          />
        ) : (
          <fieldset class="choice">
            <legend>{tap.beverage?.name ?? t('kegs.keg', { id: keg.id })}</legend>
            <EndKeg
              tap={tap}
              units={snapshot}
              runAction={runAction}
              changedAt={changedAt}
              onEnded={() => (endedKegId.value = keg.id)}
              onUndo={() => (endedKegId.value = null)}
            />
          </fieldset>
        )}
        <AddDrink tap={tap} snapshot={snapshot} runAction={runAction} onDone={onClose} />
        <div class="choice">
          <EditBeerLink beerId={tap.beverage?.id} />
          <EditTapLink tapId={tap.id} />
        </div>
        {keg !== null && <NextBeerPicker tap={tap} units={snapshot} />}
        <TapValve tap={tap} onDone={onClose} />
      </ActionGroup>
    </Dialog>
  );
}

import { type Signal, useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { type Answer, request } from '../../../api/client.ts';
import type { Units } from '../../../app/format.ts';
import type { Action } from '../../../components/action.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { showToast } from '../../../components/toast.tsx';
import { type Undoable, undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { NewKegForm } from '../new-keg-form.tsx';
import { SharedKegs } from './connected-kegs.tsx';
import { EndKegChoices } from './end-keg.tsx';
import { changedAtField, KegChangeTime } from './keg-change-time.tsx';
import { KegPicker } from './keg-picker.tsx';

interface TapKegProps {
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
  readonly runAction: Action['runAction'];
  /** When the keg was changed; empty: now. */
  readonly changedAt: Signal<string>;
  /** Called when a keg was put on the tap. */
  onDone(): void;
}

/** Puts a keg on an empty tap: the announced one, one in stock, a new one, or the keg of another tap. Use it inside an `ActionGroup`. */
export function ChooseKeg({ tap, snapshot, runAction, changedAt, onDone }: TapKegProps) {
  const isNew = useSignal(false);
  const path = { ref: tap.id };
  const nextKegId = tap.next?.keg_id ?? null;

  async function run(send: () => Promise<Answer<{ readonly correction_id: number | null }>>) {
    const answer = await runAction(send, ({ correction_id: id }) =>
      showToast(t('kegs.tapped'), id === null ? null : () => void undoCorrection(id)),
    );
    if (answer?.ok) onDone();
  }
  const attachKeg = (kegId: number) =>
    run(() =>
      request('POST /taps/{ref}/attach-keg', { path, body: { keg_id: kegId, ...changedAtField(changedAt) } }),
    );

  return (
    <>
      {nextKegId !== null && (
        <Choice onChoose={() => attachKeg(nextKegId)}>
          {t('nextBeer.tapNext', { beer: tap.next?.name ?? '' })}
        </Choice>
      )}
      <KegPicker units={snapshot} exceptId={nextKegId} onChoose={attachKeg} />
      {isNew.value ? (
        <NewKegForm
          units={snapshot}
          submit={t('taps.putOnTap')}
          onSend={(send) =>
            void run(() =>
              send((keg) =>
                request('POST /taps/{ref}/start-keg', {
                  path,
                  body: { ...keg, ...changedAtField(changedAt) },
                }),
              ),
            )
          }
        />
      ) : (
        <Choice onChoose={() => (isNew.value = true)}>{t('kegs.newKeg')}</Choice>
      )}
      <SharedKegs
        tap={tap}
        snapshot={snapshot}
        onChoose={(kegId) =>
          void run(() =>
            request('POST /taps/{ref}/kegs', { path, body: { keg_id: kegId, ...changedAtField(changedAt) } }),
          )
        }
      />
      <KegChangeTime tapId={tap.id} units={snapshot} changedAt={changedAt} />
    </>
  );
}

/** The buttons that end the keg on a tap or take it off; `onEnded` is called then, and `onUndo` when the undo is asked for. */
export function EndKeg({
  tap,
  units,
  runAction,
  changedAt,
  onEnded,
  onUndo,
}: Pick<TapKegProps, 'tap' | 'runAction' | 'changedAt'> & {
  readonly units: Units;
  onEnded(): void;
  onUndo(): void;
}) {
  const end = (send: () => Promise<Answer<Undoable>>, done: string) =>
    runAction(send, ({ correction_id: id }) => {
      onEnded();
      const undo = () => {
        onUndo();
        if (id !== null) void undoCorrection(id);
      };
      showToast(done, id === null ? null : undo);
    });
  return (
    <EndKegChoices
      tap={tap}
      units={units}
      changedAt={changedAt}
      onEnd={(send, done) => void end(send, done)}
    />
  );
}

import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../api/client.ts';
import type { Keg } from '../../api/generated.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { EndKegChoices } from './on-tap/end-keg.tsx';
import { changedAtField, KegChangeTime } from './on-tap/keg-change-time.tsx';

interface KegActionsProps {
  readonly keg: Keg;
  readonly snapshot: SnapshotMessage;
  /** Called after success. */
  onDone?(): void;
}

/** The actions possible in a keg's current state. */
export function KegActions({ keg, snapshot, onDone }: KegActionsProps) {
  const action = useAction();
  const changedAt = useSignal('');
  const path = { id: keg.id };
  const tap = snapshot.taps.find((one) => one.keg?.id === keg.id);
  const tapAhead = snapshot.taps.find((one) => one.kegs_behind.some(({ id }) => id === keg.id));
  const emptyTaps = snapshot.taps.filter((one) => one.keg === null);

  async function run(
    send: () => Promise<Answer<{ readonly correction_id: number | null }>>,
    successMessage: string,
  ) {
    const answer = await action.runAction(send, ({ correction_id: correctionId }) =>
      showToast(successMessage, correctionId === null ? null : () => void undoCorrection(correctionId)),
    );
    if (answer?.ok) onDone?.();
  }

  return (
    <ActionGroup action={action} class="choice">
      {keg.state === 'on_tap' && tap && (
        <EndKegChoices
          tap={tap}
          units={snapshot}
          changedAt={changedAt}
          onEnd={(send, done) => void run(send, done)}
        />
      )}
      {keg.state === 'on_tap' && !tap && tapAhead && (
        <Choice
          onChoose={() =>
            run(
              () =>
                request('DELETE /taps/{ref}/kegs/{keg_id}', {
                  path: { ref: tapAhead.id, keg_id: keg.id },
                }),
              t('kegs.disconnected'),
            )
          }
        >
          {t('kegs.disconnect')}
        </Choice>
      )}
      {keg.state === 'available' && (
        <>
          {emptyTaps.map((one) => (
            <Choice
              key={one.id}
              onChoose={() =>
                run(
                  () =>
                    request('POST /taps/{ref}/attach-keg', {
                      path: { ref: one.id },
                      body: { keg_id: keg.id, ...changedAtField(changedAt) },
                    }),
                  t('kegs.tapped'),
                )
              }
            >
              {t('kegs.putOnTap', { tap: one.name })}
            </Choice>
          ))}
          {emptyTaps.length === 1 && (
            <KegChangeTime tapId={emptyTaps[0]!.id} units={snapshot} changedAt={changedAt} />
          )}
          {emptyTaps.length === 0 && <p class="soft">{t('kegs.allTapsTaken')}</p>}
          <Choice onChoose={() => run(() => request('POST /kegs/{id}/end', { path }), t('kegs.ended'))}>
            {t('kegs.endKegOffTap')}
          </Choice>
        </>
      )}
      {keg.state === 'finished' && (
        <Choice
          onChoose={() => run(() => request('POST /kegs/{id}/reactivate', { path }), t('kegs.reactivated'))}
        >
          {t('kegs.reactivate')}
        </Choice>
      )}
    </ActionGroup>
  );
}

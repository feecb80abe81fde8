import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { requestWithPin } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { words } from '../../words/pages.ts';
import { Choice } from '../drinks/drink-dialog.tsx';
import type { Keg } from './keg-data.ts';

interface KegActionsProps {
  readonly keg: Keg;
  readonly snapshot: SnapshotMessage;
  /** Called after success, with the message to show. */
  onDone(successMessage: string): void;
}

/** The actions possible in a keg's current state. */
export function KegActions({ keg, snapshot, onDone }: KegActionsProps) {
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);
  const tap = snapshot.taps.find((one) => one.keg?.id === keg.id);
  const emptyTaps = snapshot.taps.filter((one) => one.keg === null);

  async function post(path: string, successMessage: string, body?: object) {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await requestWithPin('POST', path, body);
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) onDone(successMessage);
  }

  return (
    <div class="choice" aria-busy={isBusy.value}>
      {keg.state === 'on_tap' && tap && (
        <Choice onChoose={() => post(`/taps/${tap.id}/end-keg`, words.ended)}>{words.endKeg}</Choice>
      )}
      {keg.state === 'available' && (
        <>
          {emptyTaps.map((one) => (
            <Choice
              key={one.id}
              onChoose={() => post(`/taps/${one.id}/attach-keg`, words.tapped, { keg_id: keg.id })}
            >
              {words.putOnTap(one.name)}
            </Choice>
          ))}
          {emptyTaps.length === 0 && <p class="soft">{words.allTapsTaken}</p>}
          <Choice onChoose={() => post(`/kegs/${keg.id}/end`, words.ended)}>{words.endKegOffTap}</Choice>
        </>
      )}
      {keg.state === 'finished' && (
        <Choice onChoose={() => post(`/kegs/${keg.id}/reactivate`, words.reactivated)}>
          {words.reactivate}
        </Choice>
      )}
      <p class="refusal" role="alert">
        {error.value}
      </p>
    </div>
  );
}

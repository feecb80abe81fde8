import { useSignal } from '@preact/signals';
import type { HouseMessage } from '../../../http/live/shapes.ts';
import { requestWithPin } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../error-text.ts';
import { Choice } from '../../taps/drink-dialog.tsx';
import { words } from '../../words/house.ts';
import type { Keg } from './cellar.ts';

interface KegActionsProps {
  readonly keg: Keg;
  readonly app: HouseMessage;
  /** It was done; the sentence says what. */
  onDone(sentence: string): void;
}

/** What can be done with a keg where it is now. */
export function KegActions({ keg, app, onDone }: KegActionsProps) {
  const busy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);
  const tap = app.taps.find((one) => one.keg?.id === keg.id);
  const emptyTaps = app.taps.filter((one) => one.keg === null);

  async function make(path: string, sentence: string, body?: object) {
    if (busy.value) return;
    busy.value = true;
    const answer = await requestWithPin('POST', path, body);
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    if (answer.ok) onDone(sentence);
  }

  return (
    <div class="choice" aria-busy={busy.value}>
      {keg.state === 'on_tap' && tap && (
        <Choice onChoose={() => make(`/taps/${tap.id}/end-keg`, words.ended)}>{words.itIsEmpty}</Choice>
      )}
      {keg.state === 'available' && (
        <>
          {emptyTaps.map((one) => (
            <Choice
              key={one.id}
              onChoose={() => make(`/taps/${one.id}/attach-keg`, words.tapped, { keg_id: keg.id })}
            >
              {words.putOn(one.name)}
            </Choice>
          ))}
          {emptyTaps.length === 0 && <p class="soft">{words.allTapsTaken}</p>}
          <Choice onChoose={() => make(`/kegs/${keg.id}/end`, words.ended)}>{words.endInCellar}</Choice>
        </>
      )}
      {keg.state === 'finished' && (
        <Choice onChoose={() => make(`/kegs/${keg.id}/reactivate`, words.reactivated)}>
          {words.reactivate}
        </Choice>
      )}
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
    </div>
  );
}

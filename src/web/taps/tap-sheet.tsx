import { useSignal } from '@preact/signals';
import type { HouseMessage, LiveTap } from '../../http/live/shapes.ts';
import { request } from '../api/client.ts';
import type { Answer } from '../api/request-with-pin.ts';
import type { Saying } from '../saying.ts';
import { Sheet } from '../sheet.tsx';
import { tell } from '../toast.tsx';
import { words } from '../words/guests.ts';
import { say } from '../words/say.ts';
import { undo } from './corrections.ts';
import { Choice } from './drink-sheet.tsx';
import { KegChooser } from './keg-chooser.tsx';
import { NewKegForm } from './new-keg-form.tsx';
import { NextChooser } from './next-chooser.tsx';
import { ValveChooser } from './valve-chooser.tsx';
import { VolumeChooser } from './volume-chooser.tsx';
import '../styles/sheet.css';

interface TapSheetProps {
  readonly tap: LiveTap;
  readonly house: HouseMessage;
  onClose(): void;
}

/** What staff do at one tap: pour by hand, book a spill, change the keg, say what comes next, and move the valve. */
export default function TapSheet({ tap, house, onClose }: TapSheetProps) {
  const busy = useSignal(false);
  const refusal = useSignal<Saying | null>(null);
  const isSpill = useSignal(false);
  const isNew = useSignal(false);
  const path = { ref: String(tap.id) };

  async function make<R>(answer: Promise<Answer<R>>, done: (result: R) => void) {
    if (busy.value) return;
    busy.value = true;
    const said = await answer;
    busy.value = false;
    refusal.value = said.ok ? null : said.sentence;
    if (!said.ok) return;
    done(said.result);
    onClose();
  }

  const record = (ml: number) =>
    make(
      request('POST /taps/{ref}/record-drink', { path, body: { volume_ml: ml, spilled: isSpill.value } }),
      ({ drink }) => {
        if (drink) tell(say.recorded, () => void cancel(drink.id));
        else tell(say.spilledDone);
      },
    );

  const nextKegId = tap.next?.keg_id ?? null;
  const attach = (kegId: number) =>
    make(request('POST /taps/{ref}/attach-keg', { path, body: { keg_id: kegId } }), () =>
      tell(say.kegTapped),
    );

  return (
    <Sheet title={tap.name} onClose={onClose}>
      <div class="choices" aria-busy={busy.value}>
        <p class="refusal" role="alert">
          {refusal.value}
        </p>
        <fieldset class="choice">
          <legend>{say.byHand}</legend>
          <Choice isChosen={!isSpill.value} onChoose={() => (isSpill.value = false)}>
            {say.aDrink}
          </Choice>
          <Choice isChosen={isSpill.value} onChoose={() => (isSpill.value = true)}>
            {say.spilled}
          </Choice>
        </fieldset>
        <VolumeChooser currentMl={null} units={house} onChoose={record} />
        {tap.keg === null && (
          <>
            {nextKegId !== null && (
              <Choice onChoose={() => attach(nextKegId)}>{words.tapNext(tap.next?.name ?? '')}</Choice>
            )}
            <KegChooser units={house} onChoose={attach} />
            {isNew.value ? (
              <NewKegForm
                onSend={(keg) =>
                  make(request('POST /taps/{ref}/start-keg', { path, body: keg }), () => tell(say.kegTapped))
                }
              />
            ) : (
              <Choice onChoose={() => (isNew.value = true)}>{say.newKeg}</Choice>
            )}
          </>
        )}
        {tap.keg !== null && (
          <fieldset class="choice">
            <legend>{say.keg(tap.keg.id)}</legend>
            <Choice
              onChoose={() => make(request('POST /taps/{ref}/end-keg', { path }), () => tell(say.kegEnded))}
            >
              {say.endKeg}
            </Choice>
          </fieldset>
        )}
        <NextChooser tap={tap} units={house} />
        <ValveChooser tap={tap} onDone={onClose} />
      </div>
    </Sheet>
  );
}

/** A drink recorded by hand a moment ago was a mistake. */
async function cancel(id: number) {
  const path = { id };
  const answer = await request('DELETE /drinks/{id}', { path });
  const takeBack = () => void undo(request('POST /drinks/{id}/undo', { path }));
  tell(answer.ok ? say.cancelled : answer.sentence, answer.ok ? takeBack : null);
}

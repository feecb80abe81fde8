import { useSignal } from '@preact/signals';
import type { LiveTap } from '../../http/live/shapes.ts';
import { type Result, request } from '../api/client.ts';
import type { OpenValve } from '../api/operations.ts';
import { useResource } from '../components/use-resource.ts';
import { tablet } from '../me.ts';
import { pinUnlock } from '../pin-unlock.ts';
import { showToast } from '../toast.tsx';
import { words } from '../words/valve.ts';
import { Choice } from './drink-dialog.tsx';

/** Minutes: a drop to see that it moves, a line, and the most that the house allows. */
const spans = [1, 3, 10] as const;
const lookMs = 3_000;

interface ValveChooserProps {
  readonly tap: LiveTap;
  /** Called when it was moved. */
  onDone(): void;
}

/** The valve of a tap, opened for a while by hand and closed whatever it was opened for; nothing where there is none. */
export function ValveChooser({ tap, onDone }: ValveChooserProps) {
  const refusal = useSignal<Said['sentence'] | null>(null);
  const isBusy = useSignal(false);
  const path = `/taps/${encodeURIComponent(tap.id)}`;
  const toggleId = useResource<Result<'GET /taps/{ref}'>>(path).result?.tap.toggle_id ?? null;
  // A shared tablet on which nobody acts would be refused every time.
  const mayLook = toggleId !== null && (tablet.value === null || pinUnlock.value !== null);
  const looked = useResource<Result<'GET /admin/valves'>>(mayLook ? '/admin/valves' : null, lookMs);
  if (toggleId === null) return null;
  const shown = mayLook ? openIn(looked.result, toggleId) : undefined;

  async function make(deed: Promise<Said>, undo: (() => void) | null = null) {
    if (isBusy.value) return;
    isBusy.value = true;
    const said = await deed;
    isBusy.value = false;
    refusal.value = said.ok ? null : said.sentence;
    if (!said.ok) return;
    showToast(said.sentence, undo);
    onDone();
  }
  const takeBack = () => void close(tap, toggleId).then(({ sentence }) => showToast(sentence));

  return (
    <fieldset class="choice" aria-busy={isBusy.value}>
      <legend>{words.valve}</legend>
      <p class="choice-why">{shown === undefined ? words.why : sentenceOf(shown)}</p>
      {spans.map((minutes) => (
        <Choice key={minutes} onChoose={() => make(open(tap, toggleId, minutes), takeBack)}>
          {words.openFor(minutes)}
        </Choice>
      ))}
      <Choice onChoose={() => make(close(tap, toggleId))}>{words.close}</Choice>
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
    </fieldset>
  );
}

/** What came of it, in a sentence for the person. */
interface Said {
  readonly ok: boolean;
  readonly sentence: Parameters<typeof showToast>[0];
}

async function open(tap: LiveTap, id: number, minutes: number): Promise<Said> {
  const answer = await request('POST /flow-toggles/{id}/open', {
    path: { id },
    body: { seconds: minutes * 60 },
  });
  return answer.ok ? { ok: true, sentence: words.opened(tap.name, minutes) } : answer;
}

/** Shut, with the grant on it; a board that reports over the network is told that its grants are over. */
async function close(tap: LiveTap, id: number): Promise<Said> {
  const answer = await request('POST /flow-toggles/{id}/close', { path: { id } });
  if (!answer.ok) return answer;
  const isOurs = answer.result.board === null;
  return { ok: true, sentence: isOurs ? words.closed(tap.name) : words.closesSoon(tap.name) };
}

const openIn = (said: Result<'GET /admin/valves'> | null, id: number): OpenValve | undefined =>
  said?.valves.find((valve) => valve.flow_toggle.id === id);

const sentenceOf = ({ by_hand: byHand, seconds_left: seconds }: OpenValve): string =>
  byHand ? words.byHand(seconds) : words.byLeave(seconds);

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { acting, isAsked, stopActing } from '../acting.ts';
import { request } from '../api/client.ts';
import { words } from '../words/tablet.ts';
import { PinSheet } from './pin-sheet.tsx';
import '../styles/tablet.css';

/** What a shared tablet has beyond other pages: it asks who acts on it, and shows who does. */
export default function TabletHand() {
  return (
    <>
      <ActingNow />
      {isAsked.value && <PinSheet />}
    </>
  );
}

/** Whose name everything goes under now, and the way to end that. */
function ActingNow() {
  const left = useSignal(0);
  const who = acting.value;
  useEffect(() => {
    if (who === null) return;
    const count = () => {
      left.value = Math.max(0, Math.ceil((who.untilMs - performance.now()) / 1_000));
    };
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [who]);

  function end() {
    stopActing();
    void request('DELETE /tablet/pin-unlock');
  }

  return (
    <div class="acting" role="status">
      {who !== null && (
        <>
          <span class="acting-name">
            {words.acts(who.displayName)}
            {who.wrongBefore > 0 && <span class="acting-wrong"> {words.wrongBefore(who.wrongBefore)}</span>}
          </span>
          {/* Counting aloud would drown everything else. */}
          <span class="acting-time" aria-hidden="true">
            {words.secondsLeft(left.value)}
          </span>
          <button type="button" class="chip acting-done" onClick={end}>
            {words.done}
          </button>
        </>
      )}
    </div>
  );
}

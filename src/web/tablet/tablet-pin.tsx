import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import { endPinUnlock, isPinRequested, pinUnlock } from '../pin-unlock.ts';
import { words } from '../words/tablet.ts';
import { PinDialog } from './pin-dialog.tsx';
import '../styles/tablet.css';

/** What a shared tablet has beyond other pages: it asks who acts on it, and shows who does. */
export default function TabletPin() {
  return (
    <>
      <PinUnlockStatus />
      {isPinRequested.value && <PinDialog />}
    </>
  );
}

/** Whose name everything goes under now, and the way to end that. */
function PinUnlockStatus() {
  const secondsLeft = useSignal(0);
  const unlock = pinUnlock.value;
  useEffect(() => {
    if (unlock === null) return;
    const updateSeconds = () => {
      secondsLeft.value = Math.max(0, Math.ceil((unlock.untilMs - performance.now()) / 1_000));
    };
    updateSeconds();
    const timer = setInterval(updateSeconds, 1_000);
    return () => clearInterval(timer);
  }, [unlock]);

  function end() {
    endPinUnlock();
    void request('DELETE /tablet/pin-unlock');
  }

  return (
    <div class="pin-unlock" role="status">
      {unlock !== null && (
        <>
          <span class="pin-unlock-name">
            {words.signedInAs(unlock.displayName)}
            {unlock.wrongBefore > 0 && (
              <span class="pin-unlock-wrong"> {words.wrongBefore(unlock.wrongBefore)}</span>
            )}
          </span>
          {/* Counting aloud would drown everything else. */}
          <span class="pin-unlock-time" aria-hidden="true">
            {words.secondsLeft(secondsLeft.value)}
          </span>
          <button type="button" class="chip pin-unlock-done" onClick={end}>
            {words.done}
          </button>
        </>
      )}
    </div>
  );
}

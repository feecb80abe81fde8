import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../../api/client.ts';
import { endPinUnlock, isPinRequested, pinUnlock } from '../../../app/pin-unlock.ts';
import { t } from '../../../locales/locale.ts';
import { PinDialog } from './pin-dialog.tsx';
import '../../../styles/tablet.css';

/** PIN dialog and PIN unlock status of a shared tablet. */
export default function TabletPin() {
  return (
    <>
      <PinUnlockStatus />
      {isPinRequested.value && <PinDialog />}
    </>
  );
}

/** Shows whose name actions are recorded under, and a button that ends the PIN unlock. */
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
            {t('tablets.signedInAs', { name: unlock.displayName })}
            {unlock.wrongBefore > 0 && (
              <span class="pin-unlock-wrong"> {t('tablets.wrongBefore', { times: unlock.wrongBefore })}</span>
            )}
          </span>
          {/* Hidden from screen readers, which would read the countdown every second. */}
          <span class="pin-unlock-time" aria-hidden="true">
            {t('tablets.secondsLeft', { seconds: secondsLeft.value })}
          </span>
          <button type="button" class="chip pin-unlock-done" onClick={end}>
            {t('tablets.done')}
          </button>
        </>
      )}
    </div>
  );
}

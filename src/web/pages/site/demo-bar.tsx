import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { isStaff, logInToDemo } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';
import { DemoLogIn } from '../users/auth/demo-log-in.tsx';
import '../../styles/site/demo.css';
import '../../styles/shared/dialog.css';

/** Says on the home page that this is a demo. Guests log in with one press, staff reset it. */
export function DemoBar() {
  const isAsking = useSignal(false);
  return (
    <aside class="demo-bar" aria-label={t('app.demo')}>
      <p>{t('demo.about')}</p>
      {isStaff.value ? (
        <button type="button" class="chip" onClick={() => (isAsking.value = true)}>
          {t('demo.reset')}
        </button>
      ) : (
        <DemoLogIn />
      )}
      {isAsking.value && <ResetDialog onClose={() => (isAsking.value = false)} />}
    </aside>
  );
}

/** Asks before the demo is reset; afterwards the user is logged in to the new one. */
function ResetDialog({ onClose }: { onClose(): void }) {
  const { runAction, error, isBusy } = useAction();
  async function reset() {
    const answer = await runAction(
      () => request('POST /demo/reset'),
      () => {},
    );
    if (!answer?.ok) return;
    await logInToDemo();
    onClose();
    showToast(t('demo.wasReset'));
  }
  return (
    <Dialog title={t('demo.reset')} onClose={onClose}>
      <p>{t('demo.resetWhy')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="form-buttons">
        <button type="button" class="button is-danger" aria-disabled={isBusy} onClick={() => void reset()}>
          {t('demo.reset')}
        </button>
        <button type="button" class="chip" onClick={onClose}>
          {t('common.cancel')}
        </button>
      </div>
    </Dialog>
  );
}

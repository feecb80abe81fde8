import { useSignal } from '@preact/signals';
import type { DisplayText } from '../../../app/error-text.ts';
import { logInToDemo } from '../../../app/me.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { t } from '../../../locales/locale.ts';

/** Button that logs in to the demo as staff, without name and password. */
export function DemoLogIn({ onDone }: { readonly onDone?: () => void }) {
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);

  async function logIn() {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await logInToDemo();
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) onDone?.();
  }

  return (
    <>
      <button type="button" class="button" aria-disabled={isBusy.value} onClick={() => void logIn()}>
        {t('demo.tryAsStaff')}
      </button>
      <ErrorMessage>{error.value}</ErrorMessage>
    </>
  );
}

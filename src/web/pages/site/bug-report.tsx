import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CopyButton } from '../../components/one-time-secret.tsx';
import { t } from '../../locales/locale.ts';

/** Long, since the daemon collects data from all its parts. */
const timeoutMs = 30_000;

/** Creates the bug report text; it can be read, copied and downloaded. */
export function BugReport() {
  const isBusy = useSignal(false);
  const text = useSignal<string | null>(null);
  const error = useSignal<DisplayText | null>(null);

  async function createReport() {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await request('GET /admin/bugreport', {}, { timeoutMs });
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) text.value = answer.result.output;
  }

  return (
    <>
      <button type="button" class="chip" aria-disabled={isBusy.value} onClick={() => void createReport()}>
        {t('bugReport.makeReport')}
      </button>
      <ErrorMessage>{error.value}</ErrorMessage>
      {text.value !== null && (
        <Dialog title={t('bugReport.title')} onClose={() => (text.value = null)}>
          <p>{t('bugReport.why')}</p>
          <div class="row-actions">
            <DownloadText text={text.value} />
            <CopyButton text={text.value} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <pre class="report-text" tabIndex={0}>
            {text.value}
          </pre>
        </Dialog>
      )}
    </>
  );
}

function DownloadText({ text }: { readonly text: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'text/plain' })), [text]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <a href={url} class="chip" download="tapster-bug-report.txt">
      {t('bugReport.downloadReport')}
    </a>
  );
}

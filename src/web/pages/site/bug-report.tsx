import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { words } from '../../words/account.ts';

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
    const answer = await requestWithPin<{ readonly output: string }>(
      'GET',
      '/admin/bugreport',
      undefined,
      timeoutMs,
    );
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) text.value = answer.result.output;
  }

  return (
    <>
      <button type="button" class="chip" aria-disabled={isBusy.value} onClick={() => void createReport()}>
        {words.makeReport}
      </button>
      <ErrorMessage>{error.value}</ErrorMessage>
      {text.value !== null && (
        <Dialog title={words.bugReport} onClose={() => (text.value = null)}>
          <p>{words.bugReportWhy}</p>
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
      {words.downloadReport}
    </a>
  );
}

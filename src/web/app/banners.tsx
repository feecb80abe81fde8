import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { request } from '../api/client.ts';
import { findText, t } from '../locales/locale.ts';
import { type DisplayText, markEnglish } from './error-text.ts';

interface NoticeProps {
  readonly kind: 'offline' | 'problem' | 'clock' | 'held' | 'simulated';
  readonly children: ComponentChildren;
}

/** Notices above the taps, one for each problem; empty without problems. */
export function Banners({
  snapshot,
  isOffline,
}: {
  readonly snapshot: SnapshotMessage | null;
  readonly isOffline: boolean;
}) {
  return (
    <section class="notices" aria-label={t('app.notices')} aria-live="polite">
      {isOffline && (
        <Notice kind="offline">
          <p>
            <strong>{t('app.offline')}</strong> {snapshot ? `${t('app.showingLastState')} ` : ''}
            {t('app.reconnecting')}
          </p>
        </Notice>
      )}
      {snapshot?.problems.map((sentence, i) => (
        <Notice key={sentence} kind="problem">
          <ProblemText part={snapshot.problem_parts[i] ?? ''} sentence={sentence} />
        </Notice>
      ))}
      {snapshot && !snapshot.clock_synced && <ClockNotice />}
      {snapshot && snapshot.held > 0 && (
        <Notice kind="held">
          <p>
            <strong>{t('heldPours.notice', { pours: snapshot.held })}</strong>{' '}
            {t('heldPours.noticeMore', { pours: snapshot.held })}
          </p>
        </Notice>
      )}
      {snapshot?.simulated && (
        <Notice kind="simulated">
          <p>
            <strong>{t('app.simulated')}</strong> {t('app.simulatedMore')}
          </p>
        </Notice>
      )}
    </section>
  );
}

/** A problem in the user's language, followed by the daemon's English sentence with figures and names. */
function ProblemText({ part, sentence }: { readonly part: string; readonly sentence: string }) {
  const translated = findText('daemon.problems', part);
  return (
    <p>
      {translated !== undefined && <strong>{translated}</strong>} {markEnglish(sentence)}
    </p>
  );
}

function Notice({ kind, children }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind}>
      {children}
    </div>
  );
}

/** Offers to set the clock from the user's device, because a Raspberry Pi has no battery-backed clock. */
function ClockNotice() {
  const isBusy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);

  async function setClock() {
    if (isBusy.value) return;
    isBusy.value = true;
    const time = new Date(Math.round(Date.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    const answer = await request('POST /clock', { body: { time } });
    refusal.value = answer.ok ? null : answer.sentence;
    isBusy.value = false;
  }

  return (
    <Notice kind="clock">
      <p>
        <strong>{t('app.clockUnset')}</strong> {t('app.clockUnsetMore')}
        {refusal.value && <span class="refusal"> {refusal.value}</span>}
      </p>
      <button type="button" class="button" aria-disabled={isBusy.value} onClick={setClock}>
        {t('app.setClock')}
      </button>
    </Notice>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toHref } from '../../app/current-path.ts';
import { me, sendsMail } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/reports.ts';

/** Turns the daily report by mail on or off, and says what is missing for it. */
export function ReportMail() {
  const path = '/admin/report-mail';
  const { result, error } = useResource<{ readonly daily_report: boolean }>(path);
  const business = useResource<{ readonly business: { readonly day_ends: string } }>('/admin/business');
  const reportAction = useAction();
  // The checkbox keeps the user's choice until the reloaded setting arrives.
  const pending = useSignal<boolean | null>(null);
  useEffect(() => {
    pending.value = null;
  }, [result]);

  async function setDailyReport(isEnabled: boolean) {
    pending.value = isEnabled;
    const successMessage = isEnabled ? words.mailEnabled : words.mailDisabled;
    const answer = await reportAction.runAction({
      method: 'PUT',
      path,
      body: { daily_report: isEnabled },
      successMessage,
    });
    // Null: a request is pending, which sends the last choice after its reply.
    if (answer === null) return;
    if (!answer.ok) pending.value = null;
    else if (pending.value !== null && pending.value !== isEnabled) await setDailyReport(pending.value);
  }

  return (
    <section class="group card">
      <h3>{words.mail}</h3>
      <ErrorMessage>{reportAction.error ?? error}</ErrorMessage>
      {result && (
        <label class="flag">
          <input
            type="checkbox"
            checked={pending.value ?? result.daily_report}
            onChange={(event) => setDailyReport(event.currentTarget.checked)}
          />
          <span>{words.receiveMail}</span>
        </label>
      )}
      {business.result && <p class="soft">{words.mailWhen(business.result.business.day_ends)}</p>}
      {!sendsMail.value && (
        <p>
          {words.noServer} <a href={toHref('/mail')}>{words.toMail}</a>
        </p>
      )}
      {me.value !== null && me.value.email === '' && (
        <p>
          {words.noAddress} <a href={toHref('/account')}>{words.toAccount}</a>
        </p>
      )}
    </section>
  );
}

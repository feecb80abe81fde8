import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { me, sendsMail } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** Turns the daily report by mail on or off, and shows what is missing for it. */
export function ReportMail() {
  const { result, error } = useResource('GET /admin/report-mail');
  const business = useResource('GET /admin/business');
  const reportAction = useAction();
  // The checkbox keeps the user's choice until the setting has been stored and loaded again. What arrives while a request
  // is running was loaded before it.
  const pending = useSignal<boolean | null>(null);
  // Not `isBusy` of the last rendering: a click may come between it and the effect.
  const isSending = useRef(false);
  useEffect(() => {
    if (!isSending.current) pending.value = null;
  }, [result]);

  async function setDailyReport(isEnabled: boolean) {
    pending.value = isEnabled;
    isSending.current = true;
    const answer = await reportAction.runAction(
      () => request('PUT /admin/report-mail', { body: { daily_report: isEnabled } }),
      isEnabled ? t('reports.mailEnabled') : t('reports.mailDisabled'),
    );
    // Null: a request is pending, which sends the last choice after its reply.
    if (answer === null) return;
    isSending.current = false;
    if (!answer.ok) pending.value = null;
    else if (pending.value !== null && pending.value !== isEnabled) await setDailyReport(pending.value);
  }

  return (
    <section class="group card">
      <h3>{t('reports.mail')}</h3>
      <ErrorMessage>{reportAction.error ?? error}</ErrorMessage>
      {result && (
        <label class="flag">
          <input
            type="checkbox"
            checked={pending.value ?? result.daily_report}
            onChange={(event) => setDailyReport(event.currentTarget.checked)}
          />
          <span>{t('reports.receiveMail')}</span>
        </label>
      )}
      {business.result && (
        <p class="soft">{t('reports.mailWhen', { time: business.result.business.day_ends })}</p>
      )}
      {!sendsMail.value && (
        <p>
          {t('reports.noServer')} <a href={toHref('/mail')}>{t('reports.toMail')}</a>
        </p>
      )}
      {me.value !== null && me.value.email === '' && (
        <p>
          {t('reports.noAddress')} <a href={toHref('/account')}>{t('reports.toAccount')}</a>
        </p>
      )}
    </section>
  );
}

import { me, sendsMail } from '../../me.ts';
import { address } from '../../place.ts';
import { words } from '../../words/reports.ts';
import { Refusal, useDeeds } from '../kit/act.tsx';
import { useAsked } from '../kit/use-asked.ts';

/** Whether the report of each day comes by mail, and what stands in the way of that. */
export function ReportMail() {
  const path = '/admin/report-mail';
  const { result, refusal } = useAsked<{ readonly daily_report: boolean }>(path);
  const business = useAsked<{ readonly business: { readonly day_ends: string } }>('/admin/business');
  const deeds = useDeeds();
  const wants = result?.daily_report ?? false;
  return (
    <section class="group card">
      <h3>{words.mail}</h3>
      <Refusal>{deeds.refusal ?? refusal}</Refusal>
      {result && (
        <label class="flag">
          <input
            type="checkbox"
            checked={wants}
            onChange={() =>
              deeds.act({
                method: 'PUT',
                path,
                body: { daily_report: !wants },
                done: wants ? words.mailUnwanted : words.mailWanted,
              })
            }
          />
          <span>{words.wantsMail}</span>
        </label>
      )}
      {business.result && <p class="soft">{words.mailWhen(business.result.business.day_ends)}</p>}
      {!sendsMail.value && (
        <p>
          {words.noServer} <a href={address('/mail')}>{words.toMail}</a>
        </p>
      )}
      {me.value !== null && me.value.email === '' && (
        <p>
          {words.noAddress} <a href={address('/account')}>{words.toAccount}</a>
        </p>
      )}
    </section>
  );
}

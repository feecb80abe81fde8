import { request } from '../../../api/client.ts';
import type { Alarm } from '../../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../../app/format.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { RowButton } from '../../../components/row-button.tsx';
import { t } from '../../../locales/locale.ts';

/** One alarm: what happened, since when, who was told; a button to acknowledge it. */
export function AlarmRow({ alarm, units }: { readonly alarm: Alarm; readonly units: Units }) {
  const { runAction, error } = useAction();
  const {
    title,
    text,
    acknowledged_by: by,
    acknowledged_time: acknowledged,
    resolved_time: resolved,
  } = alarm;
  const path = { id: alarm.id };
  const time = (iso: string) => formatBarTime(barTime(iso, units));
  const names = [
    ...new Set(alarm.told.filter(({ is_sent: isSent }) => isSent).map((one) => one.recipient ?? '–')),
  ];
  const isOpen = resolved === null;
  const button = (label: string, onClick: () => void) => (
    <RowButton label={label} what={title} onClick={onClick} />
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{title}</p>
        {isOpen && text !== '' && <p>{text}</p>}
        <p class="soft">
          {[
            isOpen && alarm.urgency === 'high' && t('alarms.urgent'),
            isOpen
              ? t('alarms.since', { time: time(alarm.raised_time) })
              : t('alarms.lasted', { from: time(alarm.raised_time), until: time(resolved) }),
            names.length > 0 && t('alarms.told', { names: names.join(', ') }),
            acknowledged !== null && t('alarms.acknowledgedBy', { name: by ?? '–' }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {isOpen && (
        <div class="row-actions">
          {acknowledged === null &&
            button(t('alarms.acknowledge'), () =>
              runAction(() => request('POST /alarms/{id}/acknowledge', { path }), t('alarms.acknowledged')),
            )}
          {alarm.kind === 'test_alarm' &&
            button(t('alarms.endTest'), () =>
              runAction(() => request('POST /alarms/{id}/resolve', { path }), t('alarms.testEnded')),
            )}
        </div>
      )}
    </li>
  );
}

import { useEffect } from 'preact/hooks';
import { request } from '../../../api/client.ts';
import type { Units } from '../../../app/format.ts';
import { isStaff, tablet } from '../../../app/me.ts';
import { pinUnlock } from '../../../app/pin-unlock.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { listFieldLabels } from '../../../components/form/schema-fields.ts';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { OutboxList } from '../../../components/outbox-list.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { language, t } from '../../../locales/locale.ts';
import { AlarmRow } from './alarm-row.tsx';
import { Channels } from './channels.tsx';

/** Alarms change while the page is open. */
const refreshMs = 5_000;

/** Open and past alarms, the channels through which they are sent, and when. On a shared tablet only the open ones. */
export function AlarmsPage({ snapshot }: PageProps) {
  if (tablet.value !== null && !isStaff.value) {
    return (
      <Page title={t('alarms.title')}>
        <AlarmsByPin units={snapshot} />
      </Page>
    );
  }
  return (
    <Page title={t('alarms.title')} requiredRole="staff">
      <OpenAlarms units={snapshot} />
      <div class="two">
        <Channels />
        <div class="stack">
          <section class="group" aria-labelledby="alarm-rules">
            <h3 id="alarm-rules">{t('alarms.rules')}</h3>
            <p class="soft">{t('alarms.rulesWhy')}</p>
            <SettingsForm
              path="/admin/alarm-policy"
              resultKey="policy"
              fieldLabels={listFieldLabels('alarms.policyLabels')}
            />
          </section>
          <TestAlarm />
        </div>
      </div>
      <section class="group" aria-labelledby="alarm-history">
        <h3 id="alarm-history">{t('alarms.history')}</h3>
        <div class="card">
          <PagedList
            operation="GET /alarms"
            input={{ query: { state: 'resolved', language } }}
            itemsKey="alarms"
            label={t('alarms.history')}
            empty={t('alarms.noHistory')}
            renderItem={(alarm) => <AlarmRow key={alarm.id} alarm={alarm} units={snapshot} />}
          />
        </div>
      </section>
      <OutboxList title={t('outbox.deliveries')} kind="alarm" units={snapshot} emptyAction={undefined} />
    </Page>
  );
}

const openAlarms = () => ({ query: { state: 'open', language, limit: 200 } }) as const;

/** Open alarms on a shared tablet, while a PIN is valid: afterwards anybody may stand before it. */
function AlarmsByPin({ units }: { readonly units: Units }) {
  const { runAction, error } = useAction();
  const enterPin = () =>
    runAction(
      () => request('GET /alarms', openAlarms()),
      () => {},
    );
  useEffect(() => {
    if (pinUnlock.value === null) void enterPin();
  }, []);
  return (
    <>
      {pinUnlock.value !== null ? (
        <OpenAlarms units={units} />
      ) : (
        <p>
          <button type="button" class="button" onClick={enterPin}>
            {t('alarms.showByPin')}
          </button>
        </p>
      )}
      <ErrorMessage>{error}</ErrorMessage>
    </>
  );
}

function OpenAlarms({ units }: { readonly units: Units }) {
  const { result, error } = useResource('GET /alarms', openAlarms(), { intervalMs: refreshMs });
  return (
    <section class="group" aria-labelledby="open-alarms">
      <h3 id="open-alarms">{t('alarms.open')}</h3>
      <div class="card">
        <ErrorMessage>{error}</ErrorMessage>
        {result?.alarms.length === 0 && <p class="soft">{t('alarms.noOpen')}</p>}
        {result !== null && result.alarms.length > 0 && (
          <ul class="rows" aria-label={t('alarms.open')}>
            {result.alarms.map((alarm) => (
              <AlarmRow key={alarm.id} alarm={alarm} units={units} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** Raises an alarm that goes through all channels. */
function TestAlarm() {
  const { runAction, error, isBusy } = useAction();
  return (
    <section class="group" aria-labelledby="alarm-test">
      <h3 id="alarm-test">{t('alarms.kinds.test_alarm')}</h3>
      <div class="card group">
        <p class="soft">{t('alarms.testWhy')}</p>
        <ErrorMessage>{error}</ErrorMessage>
        <p>
          <button
            type="button"
            class="chip"
            disabled={isBusy}
            onClick={() => runAction(() => request('POST /admin/alarm-test'), t('alarms.testStarted'))}
          >
            {t('alarms.testStart')}
          </button>
        </p>
      </div>
    </section>
  );
}

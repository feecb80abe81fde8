import type { Units } from '../../app/format.ts';
import { isSuperuser } from '../../app/me.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { EmptyContent } from '../../components/empty-state.tsx';
import { focusField } from '../../components/focus-field.ts';
import { OutboxList } from '../../components/outbox-list.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { PluginData } from './plugin-data.tsx';
import { AddReceiver, ReceiverRow } from './receivers.tsx';
import { Signature } from './signature.tsx';

/** The queues change while the page is open. */
const refreshMs = 4_000;

/** Webhook receivers, the signature secret, the outbox of webhooks, and plugin data. */
export function WebhooksPage({ snapshot }: PageProps) {
  return (
    <Page title={t('webhooks.title')} requiredRole="staff">
      <p class="soft">{t('webhooks.why')}</p>
      <Receivers units={snapshot} />
      <OutboxList
        title={t('outbox.deliveries')}
        kind="webhook"
        units={snapshot}
        emptyAction={
          isSuperuser.value
            ? { label: t('webhooks.addFirst'), onAct: () => focusField('receivers') }
            : undefined
        }
      />
      <PluginData />
    </Page>
  );
}

function Receivers({ units }: { readonly units: Units }) {
  const { result, error } = useResource('GET /admin/webhooks', {}, { intervalMs: refreshMs });
  return (
    <div class="two">
      <section class="group" aria-labelledby="receivers">
        <h3 id="receivers">{t('webhooks.receivers')}</h3>
        <div class="card group">
          <ErrorMessage>{error}</ErrorMessage>
          {result?.webhooks.length === 0 && (
            <EmptyContent text={t('webhooks.noReceivers')} picture="post" isSmall />
          )}
          {result !== null && result.webhooks.length > 0 && (
            <ul class="rows" aria-label={t('webhooks.receivers')}>
              {result.webhooks.map((receiver) => (
                <ReceiverRow key={receiver.id} receiver={receiver} units={units} />
              ))}
            </ul>
          )}
          {isSuperuser.value ? <AddReceiver /> : <p class="soft">{t('auth.superusersOnly')}</p>}
        </div>
      </section>
      {result && <Signature isSigned={result.is_signed} />}
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { alarmChannelKinds } from '../../../../core/alarms/alarm-channels.ts';
import { request } from '../../../api/client.ts';
import type { AlarmChannel } from '../../../api/generated.ts';
import { isSuperuser } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { RowButton } from '../../../components/row-button.tsx';
import { showToast } from '../../../components/toast.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { ChannelDialog } from './channel-dialog.tsx';

const refreshMs = 5_000;
/** The daemon waits up to 20 s for a mail server, 10 s for other services. */
const timeoutMs = 30_000;

/** The channels; superusers add, change and delete them. */
export function Channels() {
  const { result, error } = useResource('GET /admin/alarm-channels', {}, { intervalMs: refreshMs });
  const newKind = useSignal<AlarmChannel['kind'] | null>(null);
  return (
    <section class="group" aria-labelledby="alarm-channels">
      <h3 id="alarm-channels">{t('alarms.channels')}</h3>
      <div class="card group">
        <p class="soft">{t('alarms.channelsWhy')}</p>
        <ErrorMessage>{error}</ErrorMessage>
        {result?.channels.length === 0 && <p class="soft">{t('alarms.noChannels')}</p>}
        {result !== null && result.channels.length > 0 && (
          <ul class="rows" aria-label={t('alarms.channels')}>
            {result.channels.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </ul>
        )}
        {isSuperuser.value ? (
          <div class="group">
            <h4>{t('alarms.addChannel')}</h4>
            <p class="row-actions">
              {alarmChannelKinds.map((kind) => (
                <button key={kind} type="button" class="chip" onClick={() => (newKind.value = kind)}>
                  {t(`alarms.channelKinds.${kind}`)}
                </button>
              ))}
            </p>
          </div>
        ) : (
          <p class="soft">{t('auth.superusersOnly')}</p>
        )}
      </div>
      {newKind.value !== null && (
        <ChannelDialog kind={newKind.value} channel={null} onClose={() => (newKind.value = null)} />
      )}
    </section>
  );
}

function ChannelRow({ channel }: { readonly channel: AlarmChannel }) {
  const { id, name, kind, step, is_enabled: isOn, num_waiting: waiting, num_dead: dead } = channel;
  const { runAction, error } = useAction();
  const isEditing = useSignal(false);
  const path = { id };
  const button = (label: string, onClick: () => void) => (
    <RowButton label={label} what={name} onClick={onClick} />
  );
  const remove = () =>
    runAction(
      () => request('DELETE /admin/alarm-channels/{id}', { path }),
      () =>
        showToast(t('alarms.channelDeleted'), () =>
          runAction(() => request('POST /admin/alarm-channels/{id}/restore', { path }), t('audit.undone')),
        ),
    );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <p class="soft">
          {[
            t(`alarms.channelKinds.${kind}`),
            t(`alarms.choices.${step as 1 | 2 | 3}`),
            channel.user_id,
            channel.only_urgent && t('alarms.fields.only_urgent'),
            channel.alarm_kinds?.map((one) => t(`alarms.kinds.${one}`)).join(', '),
            isOn ? t('webhooks.isOn') : t('webhooks.isOff'),
            waiting > 0 && t('webhooks.waitingCount', { count: waiting }),
            dead > 0 && t('webhooks.failedCount', { count: dead }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {button(t('webhooks.sendTest'), () =>
          runAction(
            () => request('POST /admin/alarm-channels/{id}/test', { path }, { timeoutMs }),
            t('alarms.testSent', { name }),
          ),
        )}
        {isSuperuser.value && (
          <>
            {button(isOn ? t('webhooks.switchOff') : t('webhooks.switchOn'), () =>
              runAction(
                () => request('PATCH /admin/alarm-channels/{id}', { path, body: { is_enabled: !isOn } }),
                isOn ? t('webhooks.switchedOff') : t('webhooks.switchedOn'),
              ),
            )}
            {button(t('thermometers.edit'), () => (isEditing.value = true))}
            {button(t('common.remove'), () => void remove())}
          </>
        )}
      </div>
      {isEditing.value && (
        <ChannelDialog kind={kind} channel={channel} onClose={() => (isEditing.value = false)} />
      )}
    </li>
  );
}

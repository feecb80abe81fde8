import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import { useResource } from '../../../components/use-resource.ts';
import { language, t } from '../../../locales/locale.ts';
import { AuthForm, AuthNotice } from '../../users/auth/auth-form.tsx';

/** Acknowledges alarms by the link in a message; opening the page changes nothing. */
export function AlarmLinkPage({ secret }: { readonly secret: string }) {
  const isDone = useSignal(false);
  const { result, error, isMissing } = useResource(
    'GET /alarm-links/{secret}',
    isDone.value ? null : { path: { secret }, query: { language } },
  );
  if (isDone.value) {
    return (
      <AuthNotice title={t('alarms.title')}>
        <p>{t('alarms.acknowledged')}</p>
      </AuthNotice>
    );
  }
  if (result === null) {
    return (
      <AuthNotice title={t('alarms.title')}>
        <p>{isMissing ? t('alarms.linkOver') : (error ?? t('app.loading'))}</p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={t('alarms.title')}
      why={result.alarms.map(({ title }) => title).join(' · ')}
      button={t('alarms.acknowledge')}
      send={() => request('POST /alarm-links/{secret}', { path: { secret } })}
      onDone={async () => {
        isDone.value = true;
      }}
    />
  );
}

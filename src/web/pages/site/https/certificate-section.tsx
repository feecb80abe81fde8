import { request } from '../../../api/client.ts';
import { formatProblem } from '../../../app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { listFieldLabels } from '../../../components/form/schema-fields.ts';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { t } from '../../../locales/locale.ts';
import { formatDate, type Https } from './https-data.ts';

/** The daemon waits for other child processes, and a Pi Zero needs some seconds to make a certificate. */
const renewTimeoutMs = 120_000;

/** For staff: the certificate in use, its renewal, and when HTTPS is required. */
export function CertificateSection({ https }: { readonly https: Https }) {
  const { certificate, authority, problems } = https;
  const action = useAction();
  const renew = () =>
    void action.runAction(
      () => request('POST /site/https/renewal', {}, { timeoutMs: renewTimeoutMs }),
      t('https.renewed'),
    );
  return (
    <>
      <section class="group" aria-labelledby="certificate">
        <h3 id="certificate">{t('https.certificate')}</h3>
        <div class="card group">
          {problems.map((problem) => (
            <p key={problem.code}>{formatProblem(problem)}</p>
          ))}
          {certificate !== null && (
            <>
              <p>{t(`https.sources.${certificate.source}`)}</p>
              <Fact label={t('https.until')}>{formatDate(certificate.until_time)}</Fact>
              <Fact label={t('https.names')}>{certificate.names.join(', ')}</Fact>
            </>
          )}
          {authority !== null && (
            <Fact label={t('https.authorityUntil')}>{formatDate(authority.until_time)}</Fact>
          )}
          <ErrorMessage>{action.error}</ErrorMessage>
          <p class="row-actions">
            <button type="button" class="chip" disabled={action.isBusy} onClick={renew}>
              {t('https.renew')}
            </button>
          </p>
        </div>
      </section>
      <section class="group" aria-labelledby="requirement">
        <h3 id="requirement">{t('https.requirement')}</h3>
        <p class="soft">{https.is_used_by_staff ? t('https.used') : t('https.notUsed')}</p>
        {https.fixed_requirement === null ? (
          <SettingsForm
            path="/site"
            resultKey="site"
            fieldLabels={listFieldLabels('site.labels', 'site.choices')}
            only={['require_https']}
          />
        ) : (
          <p>{t('https.fixed', { value: t(`site.choices.${https.fixed_requirement}`) })}</p>
        )}
      </section>
    </>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <p class="https-fact">
      <span class="soft">{label}</span> {children}
    </p>
  );
}

import { isStaff } from '../../../app/me.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { CertificateSection } from './certificate-section.tsx';
import { DeviceTrust } from './device-trust.tsx';
import { InstallSteps } from './install-steps.tsx';
import '../../../styles/site/https.css';

const refreshMs = 30_000;

/** HTTPS: whether this device trusts the machine, how it comes to, and the certificate, for staff. */
export function HttpsPage() {
  const { result, error } = useResource('GET /site/https', {}, { intervalMs: refreshMs });
  const https = result?.https ?? null;
  return (
    <Page title={t('https.title')}>
      <p class="soft">{t('https.intro')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {https !== null && (
        <div class="two">
          <div class="stack">
            <section class="group" aria-labelledby="device">
              <h3 id="device">{t('https.device')}</h3>
              <div class="card group">
                {https.is_secure && <p>{t('https.isSecure')}</p>}
                {!https.is_secure && https.address !== null && <DeviceTrust address={https.address} />}
                {!https.is_secure && https.address === null && <p>{t('https.off')}</p>}
              </div>
            </section>
            {isStaff.value && https.is_enabled && <CertificateSection https={https} />}
          </div>
          {https.authority !== null && <InstallSteps authority={https.authority} />}
        </div>
      )}
    </Page>
  );
}

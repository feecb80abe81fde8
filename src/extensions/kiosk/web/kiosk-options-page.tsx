import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { findPageUrl } from '../../../web/app/frame/menu-address.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { CopyButton } from '../../../web/components/one-time-secret.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { QrCode } from '../../../web/components/qr-code.tsx';
import { t } from '../../../web/locales/locale.ts';
import { formatKioskOptions, type KioskOptions, parseKioskOptions } from './kiosk-options.ts';
import { KioskOptionsForm } from './kiosk-options-form.tsx';
import { KioskPreview } from './kiosk-preview.tsx';
import { SiteHours } from './site-hours.tsx';
import './kiosk-options.css';

/** Chooses what a kiosk shows, with a preview. The options are in the kiosk's address; those in this page's are chosen first. */
export function KioskOptionsPage({ snapshot, query }: PageProps) {
  const [initial] = useState(() => parseKioskOptions(query));
  const options = useSignal(initial);
  const error = useSignal<string | null>(null);
  const path = `/kiosk${formatKioskOptions(options.value)}`;
  const url = findPageUrl(path, snapshot) ?? new URL(toHref(path), location.href).href;

  function change(chosen: KioskOptions) {
    error.value = chosen.taps?.length === 0 ? t('kiosk.chooseTap') : null;
    if (error.value === null) options.value = chosen;
  }

  return (
    <Page width="wide" title={t('kiosk.menu')} requiredRole="staff">
      <p class="soft">{t('kiosk.why')}</p>
      <div class="kiosk-options">
        <div class="kiosk-options-choices">
          <div class="card">
            <KioskOptionsForm
              options={options.value}
              customMenu={initial.menu === 'off' ? null : initial.menu}
              snapshot={snapshot}
              onChange={change}
            />
            <ErrorMessage>{error.value}</ErrorMessage>
          </div>
          <SiteHours stored={snapshot.opening_hours} />
        </div>
        <div class="kiosk-options-result">
          <KioskPreview path={path} />
          <section class="card kiosk-address-card" aria-labelledby="kiosk-address">
            <div>
              <h3 id="kiosk-address">{t('kiosk.address')}</h3>
              <p class="soft">{t('kiosk.addressWhy')}</p>
              <p>
                <code>{url}</code>
              </p>
              <div class="row-actions">
                <CopyButton text={url} />
                <a class="button" href={toHref(path)} target="_blank" rel="noreferrer">
                  {t('kiosk.open')}
                </a>
              </div>
            </div>
            <QrCode text={url} />
          </section>
        </div>
      </div>
    </Page>
  );
}

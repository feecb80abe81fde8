import { findMenuUrl } from '../../../app/menu-address.ts';
import { Page, type PageProps } from '../../../components/page.tsx';
import { QrCode } from '../../../components/qr-code.tsx';
import { t } from '../../../locales/locale.ts';
import '../../../styles/menu-print.css';

/** The QR code of the menu's address, to print for the tables. */
export function MenuCodePage({ snapshot }: PageProps) {
  const address = findMenuUrl(snapshot);
  return (
    <Page title={t('menu.code')} requiredRole="staff">
      {address === null ? (
        <p class="card narrow">{t('menu.noAddress')}</p>
      ) : (
        <section class="card menu-code">
          <p class="menu-code-bar">{snapshot.title}</p>
          <p>{t('kiosk.menuOnPhone')}</p>
          <QrCode text={address} />
          <p class="menu-code-address">{address.replace(/^https?:\/\//, '')}</p>
          <button type="button" class="button" onClick={() => window.print()}>
            {t('menu.print')}
          </button>
        </section>
      )}
    </Page>
  );
}

import { request } from '../../../api/client.ts';
import { findMenuUrl } from '../../../app/frame/menu-address.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { QrCode } from '../../../components/qr-code.tsx';
import { invalidate } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import '../../../styles/kegs/menu-print.css';

/** Prints the page, and ticks the step off the list of the first day. Whether the paper came out only a person sees. */
function print() {
  void request('PATCH /site', { body: { menu_code_printed: true } }).then(invalidate);
  window.print();
}

/** The QR code of the menu's address, to print for the tables. */
export function MenuCodePage({ snapshot }: PageProps) {
  const address = findMenuUrl(snapshot);
  return (
    <Page width="form" title={t('menu.code')} requiredRole="staff">
      {address === null ? (
        <EmptyState text={t('menu.noAddress')} action={t('reports.toMail')} path="/mail" />
      ) : (
        <section class="card menu-code">
          <p class="menu-code-bar">{snapshot.title}</p>
          <p>{t('menu.onPhone')}</p>
          <QrCode text={address} />
          <p class="menu-code-address">{address.replace(/^https?:\/\//, '')}</p>
          <button type="button" class="button" onClick={print}>
            {t('menu.print')}
          </button>
        </section>
      )}
    </Page>
  );
}

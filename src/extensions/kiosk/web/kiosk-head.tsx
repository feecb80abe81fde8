import { findMenuUrl } from '../../../web/app/frame/menu-address.ts';
import { QrCode } from '../../../web/components/qr-code.tsx';
import { t } from '../../../web/locales/locale.ts';
import { pricesNowText } from '../../../web/pages/kegs/prices/prices-now.ts';
import { fitText } from './fit-text.ts';
import type { Size } from './kiosk-layout.ts';
import type { TileContext } from './kiosk-tile.tsx';

interface KioskHeadProps {
  readonly context: TileContext;
  /** Time of day at the bar. */
  readonly clock: string;
  readonly screen: Size;
}

/** Widths of the logo and of the menu's address as shares of the screen; of the clock in heights of the head. */
const logoShare = 0.16;
const addressShare = 0.19;
const clockHeads = 1.45;

/** The logo, the bar's name, the QR code of the menu, the clock, and a mark while the state may be old or is simulated. */
export function KioskHead({ context, clock, screen }: KioskHeadProps) {
  const { snapshot, options, layout, fonts, isLive } = context;
  const { headPx, gapPx } = layout;
  const logoUrl = options.hide.has('logo') ? null : snapshot.logo_url;
  const menu = options.menu ?? findMenuUrl(snapshot);
  const hasMenu = menu !== null && menu !== 'off';
  const usedPx =
    (logoUrl === null ? 0 : screen.width * logoShare + gapPx) +
    (hasMenu ? screen.width * addressShare + headPx + 2 * gapPx : 0) +
    headPx * clockHeads +
    3 * gapPx;
  const heading = [snapshot.title, pricesNowText(snapshot)].filter((text) => text !== null).join(' · ');
  const titleWidth = screen.width - usedPx;
  const sizeOf = (text: string, widthPx: number, maxLines: number, maxSizeEm: number) =>
    fitText(
      text,
      { widthEm: widthPx / headPx, heightEm: 1, maxLines, lineHeight: 1.1, maxSizeEm, minSizeEm: 0.15 },
      maxSizeEm > 0.25 ? fonts.display : fonts.body,
    ).sizeEm;
  return (
    <header class="kiosk-head" style={{ fontSize: `${headPx}px` }}>
      {logoUrl !== null && (
        <img class="kiosk-logo" src={logoUrl} alt="" style={{ maxWidth: `${screen.width * logoShare}px` }} />
      )}
      <h1 style={{ fontSize: `${sizeOf(heading, titleWidth, 2, 0.5)}em` }}>{heading}</h1>
      {hasMenu && (
        <MenuLink menu={menu} sizeOf={(text) => sizeOf(text, screen.width * addressShare, 2, 0.2)} />
      )}
      <div class="kiosk-time">
        <p class="kiosk-clock">{clock}</p>
        {/* Always there, so that nothing moves when the connection is lost. */}
        <p class="kiosk-not-live" role="status">
          {isLive ? (snapshot.simulated ? t('app.demo') : '') : t('app.notLive')}
        </p>
      </div>
    </header>
  );
}

interface MenuLinkProps {
  readonly menu: string;
  /** Size of a text, in heights of the head. */
  readonly sizeOf: (text: string) => number;
}

/** QR code and address of the menu. */
function MenuLink({ menu, sizeOf }: MenuLinkProps) {
  const address = menu.replace(/^https?:\/\//, '').replace(/\/$/, '');
  const invitation = t('menu.onPhone');
  return (
    <div class="kiosk-menu">
      <div>
        <p style={{ fontSize: `${sizeOf(invitation)}em` }}>{invitation}</p>
        {/* Breaks after dots and slashes, where an address has no spaces. */}
        <p class="kiosk-address" style={{ fontSize: `${sizeOf(address.replaceAll(/([./])/g, '$1 '))}em` }}>
          {address}
        </p>
      </div>
      <QrCode text={menu} />
    </div>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { formatClock } from '../app/format.ts';
import { toHref } from '../app/routing.ts';
import type { PageProps } from '../components/page.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { t } from '../locales/locale.ts';
import { TapGrid } from '../pages/taps/tap-grid.tsx';
import { isNight, type KioskOptions, parseKioskOptions } from './kiosk-options.ts';
import '../styles/kiosk.css';

/** Interval of the clock, milliseconds; a new minute is shown at most this late. */
const refreshMs = 5_000;

/** Kiosk screen without controls: the taps, the clock and a link to the menu; dimmed at night. */
export function Kiosk({ snapshot, live, query }: PageProps) {
  const options = parseKioskOptions(query);
  const clock = useClock(snapshot);
  const taps = snapshot.taps
    .filter((tap) => options.taps === null || options.taps.includes(tap.id))
    .map((tap) => ({
      ...tap,
      price: options.hide.has('price') ? null : tap.price,
      next: options.hide.has('next') ? null : tap.next,
    }));
  return (
    <div class="kiosk" data-night={isNight(options.night, clock)}>
      <header class="kiosk-head">
        {snapshot.logo_url !== null && !options.hide.has('logo') && (
          <img class="kiosk-logo" src={snapshot.logo_url} alt="" />
        )}
        <h1>{snapshot.title}</h1>
        <MenuLink options={options} snapshot={snapshot} />
        <p class="kiosk-clock">{clock}</p>
      </header>
      <main class="kiosk-taps">
        <TapGrid taps={taps} snapshot={snapshot} live={live} buttons={false} columns={options.columns} />
      </main>
    </div>
  );
}

interface MenuLinkProps {
  readonly options: KioskOptions;
  readonly snapshot: SnapshotMessage;
}

/** QR code and address of the menu. */
function MenuLink({ options, snapshot }: MenuLinkProps) {
  const menu = options.menu ?? findMenuUrl(snapshot);
  if (menu === null || menu === 'off') return null;
  return (
    <div class="kiosk-menu">
      <p>
        {t('kiosk.menuOnPhone')}
        <br />
        <span class="kiosk-address">{menu.replace(/^https?:\/\//, '').replace(/\/$/, '')}</span>
      </p>
      <QrCode text={menu} />
    </div>
  );
}

/**
 * Returns the menu's URL for a guest's phone; null when only a localhost URL is known, which a phone cannot
 * open.
 */
function findMenuUrl({ address: siteUrl }: SnapshotMessage): string | null {
  const isLocalhost = /^(?:localhost|127\.|\[::1\])/.test(location.host);
  if (!isLocalhost) return new URL(toHref('/menu'), location.href).href;
  return siteUrl === null ? null : `${siteUrl.replace(/\/$/, '')}/menu`;
}

/** Returns the time of day at the bar, `HH:MM`. */
function useClock(snapshot: SnapshotMessage): string {
  const [clock, setClock] = useState(() => formatClock(snapshot));
  useEffect(() => {
    const timer = setInterval(() => setClock(formatClock(snapshot)), refreshMs);
    return () => clearInterval(timer);
  }, [snapshot.time_zone]);
  return clock;
}

import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { t } from '../../locales/locale.ts';
import { isConnectionLost } from '../connection.ts';
import { canAct, canView, isDemo, isSetUp, me } from '../me.ts';
import { toHref, usePath } from '../routing.ts';
import { headerItems } from './navigation.ts';
import { Notices } from './notices.tsx';
import { SiteMenu } from './site-menu.tsx';

/** A name of more characters is set in smaller type. */
const longTitleLength = 24;

/** Header: the site's name, the most used pages, the live indicator, the notices for staff and the menu. */
export function Header({ snapshot }: { readonly snapshot: SnapshotMessage | null }) {
  const isOpen = isSetUp.value && canView.value;
  const title = snapshot?.title ?? 'Tapster';
  return (
    <header class="header">
      <SkipLink />
      <div class="header-name">
        <h1 class="header-title" data-long={title.length > longTitleLength} title={title}>
          {title}
        </h1>
        {(snapshot?.simulated || isDemo.value) && (
          <p class="demo-mark" title={`${t('app.simulated')} ${t('app.simulatedMore')}`}>
            {t('app.demo')}
          </p>
        )}
      </div>
      {isOpen && (
        <nav class="nav" aria-label={t('nav.pages')}>
          <HeaderLink path="/">{t('nav.taps')}</HeaderLink>
          {headerItems.map(({ path, labelKey }) => (
            <HeaderLink key={path} path={path}>
              {t(labelKey)}
            </HeaderLink>
          ))}
        </nav>
      )}
      <div class="header-tools">
        {isSetUp.value && <LiveIndicator isConnected={snapshot !== null} />}
        {isOpen && canAct.value && <Notices snapshot={snapshot} />}
        {isSetUp.value && <AccountLink />}
        {isSetUp.value && <SiteMenu isOpenSite={isOpen} />}
      </div>
    </header>
  );
}

/** A navigation link, marked when it leads to the current page. */
function HeaderLink({ path, children }: { readonly path: string; readonly children: string }) {
  const isCurrent = usePath() === path;
  return (
    <a href={toHref(path)} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** The user who is logged in, else the link to the login; on a phone it is in the menu. */
function AccountLink() {
  const user = me.value;
  if (user === null) return <HeaderLink path="/log-in">{t('auth.logIn')}</HeaderLink>;
  return (
    <a class="header-user" href={toHref('/account')} title={t('nav.account')}>
      {user.username}
    </a>
  );
}

function LiveIndicator({ isConnected }: { readonly isConnected: boolean }) {
  const isLive = isConnected && !isConnectionLost.value;
  const name = isConnectionLost.value ? t('app.notLive') : isConnected ? t('app.live') : t('app.connecting');
  return (
    <p class={isLive ? 'live-indicator is-live' : 'live-indicator'}>
      <span class="live-indicator-name">{name}</span>
    </p>
  );
}

/** Moves the focus past the header; the first stop of the Tab key. */
function SkipLink() {
  const path = usePath();
  const skip = (event: Event) => {
    // Neither the router nor the browser shall open the address: the document's base differs from it.
    event.preventDefault();
    event.stopPropagation();
    const main = document.querySelector('main');
    main?.setAttribute('tabindex', '-1');
    main?.focus();
  };
  return (
    <a class="skip-link" href={toHref(`${path}#main`)} onClick={skip}>
      {t('nav.skip')}
    </a>
  );
}

import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { t } from '../locales/locale.ts';
import { canAct, canView, isSetUp, logOut, me } from './me.ts';
import { headerItems } from './navigation.ts';
import { toHref, usePath } from './routing.ts';
import { SiteMenu } from './site-menu.tsx';

/** Header: the site's name, the navigation and the live indicator. */
export function Header({
  snapshot,
  isOffline,
}: {
  readonly snapshot: SnapshotMessage | null;
  readonly isOffline: boolean;
}) {
  const path = usePath();
  const isOpen = isSetUp.value && canView.value;
  const isHeld = snapshot !== null && snapshot.held > 0;
  return (
    <header class="header">
      <h1 class="header-title">{snapshot?.title ?? 'Tapster'}</h1>
      <nav class="nav" aria-label={t('nav.pages')}>
        {path !== '/' && <a href={toHref('/')}>{t('nav.taps')}</a>}
        {canAct.value && (isHeld || path === '/held') && (
          <HeaderLink path="/held">{t('nav.held')}</HeaderLink>
        )}
        {isOpen &&
          headerItems.map(({ path, labelKey }) => (
            <HeaderLink key={path} path={path} class="nav-wide">
              {t(labelKey)}
            </HeaderLink>
          ))}
        {isOpen && <SiteMenu />}
        {me.value === null && <HeaderLink path="/log-in">{t('auth.logIn')}</HeaderLink>}
        {me.value !== null && (
          <button type="button" class="nav-link" onClick={() => void logOut()}>
            {t('auth.logOut', { name: me.value.username })}
          </button>
        )}
      </nav>
      <p class={isOffline || !snapshot ? 'live-indicator' : 'live-indicator is-live'}>
        {isOffline ? t('app.notLive') : snapshot ? t('app.live') : t('app.connecting')}
      </p>
    </header>
  );
}

interface HeaderLinkProps {
  readonly path: string;
  readonly class?: string;
  readonly children: string;
}

/** A navigation link, marked when it leads to the current page. */
function HeaderLink({ path, class: className, children }: HeaderLinkProps) {
  const isCurrent = usePath() === path;
  return (
    <a href={toHref(path)} class={className} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}

import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { say } from '../words/say.ts';
import { currentPath, toHref } from './current-path.ts';
import { canAct, canView, isSetUp, logOut, me } from './me.ts';
import { headerItems } from './navigation.ts';
import { SiteMenu } from './site-menu.tsx';

/** Header: the site's name, the navigation and the live indicator. */
export function Header({
  snapshot,
  isOffline,
}: {
  readonly snapshot: SnapshotMessage | null;
  readonly isOffline: boolean;
}) {
  const isOpen = isSetUp.value && canView.value;
  const isHeld = snapshot !== null && snapshot.held > 0;
  return (
    <header class="header">
      <h1 class="header-title">{snapshot?.title ?? 'Tapster'}</h1>
      <nav class="nav" aria-label={say.pages}>
        {currentPath.value.path !== '/' && <a href={toHref('/')}>{say.toTaps}</a>}
        {canAct.value && (isHeld || currentPath.value.path === '/held') && (
          <HeaderLink path="/held">{say.toHeld}</HeaderLink>
        )}
        {isOpen &&
          headerItems.map(({ path, label }) => (
            <HeaderLink key={path} path={path} class="nav-wide">
              {label}
            </HeaderLink>
          ))}
        {isOpen && <SiteMenu />}
        {me.value === null && <HeaderLink path="/log-in">{say.logIn}</HeaderLink>}
        {me.value !== null && (
          <button type="button" class="nav-link" onClick={() => void logOut()}>
            {say.logOut(me.value.username)}
          </button>
        )}
      </nav>
      <p class={isOffline || !snapshot ? 'live-indicator' : 'live-indicator is-live'}>
        {isOffline ? say.notLive : snapshot ? say.live : say.connecting}
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
  return (
    <a
      href={toHref(path)}
      class={className}
      aria-current={currentPath.value.path === path ? 'page' : undefined}
    >
      {children}
    </a>
  );
}

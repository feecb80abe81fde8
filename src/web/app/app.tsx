import { useEffect } from 'preact/hooks';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { Announcer } from '../components/announcer.tsx';
import { Toaster } from '../components/toast.tsx';
import { DrinkList } from '../pages/drinks/drink-list.tsx';
import { TapGrid } from '../pages/taps/tap-grid.tsx';
import { matchAuthRoute } from '../pages/users/auth/auth-routes.ts';
import { say } from '../words/say.ts';
import { Banners } from './banners.tsx';
import { currentPath } from './current-path.ts';
import { Header } from './header.tsx';
import { lazyComponent, lazyPage } from './lazy-page.tsx';
import type { LiveState } from './live.ts';
import { canView, isSetUp, tablet } from './me.ts';
import { matchRoute } from './routes.tsx';

const Kiosk = lazyPage(() => import('../kiosk/kiosk.tsx').then((module) => module.Kiosk));
const HeldPours = lazyPage(() => import('../pages/drinks/held-pours.tsx').then((module) => module.HeldPours));
const LogInPage = lazyPage(() =>
  import('../pages/users/auth/log-in-page.tsx').then((module) => module.LogInPage),
);

const TabletPin = lazyComponent(() =>
  import('../pages/users/tablet/tablet-pin.tsx').then((module) => module.default),
);

const SetUp = lazyPage(() => import('../pages/site/setup/set-up.tsx').then((module) => module.SetUp));

const AuthPage = lazyPage(() =>
  import('../pages/users/auth/auth-page.tsx').then((module) => module.AuthPage),
);

/** Root component: header, notices, the page at the current path, toast and announcements. */
export function App({ live }: { readonly live: LiveState }) {
  const snapshot = live.snapshot.value;
  const isOffline = live.isOffline.value && isSetUp.value && canView.value;
  const title = snapshot?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);

  const isKiosk = currentPath.value.path === '/kiosk' && snapshot !== null;
  return (
    <div class={isOffline ? 'app is-offline' : 'app'}>
      {!isKiosk && <Header snapshot={snapshot} isOffline={isOffline} />}
      {(!isKiosk || isOffline) && <Banners snapshot={snapshot} isOffline={isOffline} />}
      {tablet.value !== null && !isKiosk && <TabletPin />}
      {isKiosk ? (
        <Kiosk snapshot={snapshot} live={live} />
      ) : (
        <PageContent live={live} snapshot={snapshot} isOffline={isOffline} />
      )}
      <Toaster />
      <Announcer snapshot={snapshot} />
    </div>
  );
}

interface PageContentProps {
  readonly live: LiveState;
  readonly snapshot: SnapshotMessage | null;
  readonly isOffline: boolean;
}

/** The page at the current path. */
function PageContent({ live, snapshot, isOffline }: PageContentProps) {
  const { path } = currentPath.value;
  if (!isSetUp.value) return <SetUp />;
  const authRoute = matchAuthRoute(path);
  if (authRoute) return <AuthPage key={path} {...authRoute} />;
  if (path === '/log-in') return <LogInPage why={say.logInWhy} />;
  if (!canView.value) return <LogInPage why={say.privateSite} />;
  if (!snapshot) {
    return (
      <main class="bar">
        <p class="empty-message">{isOffline ? say.nothingYet : say.loading}</p>
      </main>
    );
  }
  if (path === '/held') return <HeldPours snapshot={snapshot} />;
  const match = matchRoute(path);
  if (match) return <match.Page key={path} snapshot={snapshot} live={live} id={match.id} />;
  if (path !== '/') {
    return (
      <main class="bar">
        <p class="empty-message">{say.noSuchPage}</p>
      </main>
    );
  }
  return (
    <main class="bar">
      <TapGrid taps={snapshot.taps} snapshot={snapshot} live={live} buttons={true} />
      <DrinkList snapshot={snapshot} />
    </main>
  );
}

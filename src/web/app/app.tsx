import { useEffect } from 'preact/hooks';
import { Announcer } from '../components/announcer.tsx';
import { Toaster } from '../components/toast.tsx';
import { Banners } from './banners.tsx';
import { isConnectionLost } from './connection.ts';
import { Header } from './header.tsx';
import type { LiveState } from './live.ts';
import { isSetUp, tablet } from './me.ts';
import { isPasswordRequested } from './password-confirmation.ts';
import { LiveContext, Routes } from './routes.tsx';
import { lazyComponent, lazyPage, usePath } from './routing.ts';

const TabletPin = lazyComponent(() =>
  import('../pages/users/tablet/tablet-pin.tsx').then((module) => module.default),
);

const PasswordDialog = lazyComponent(() =>
  import('../pages/users/auth/password-dialog.tsx').then((module) => module.default),
);

const SetUp = lazyPage(() => import('../pages/site/setup/set-up.tsx').then((module) => module.SetUp));

/** Root component: header, notices, the page at the current path, toast and announcements. */
export function App({ live }: { readonly live: LiveState }) {
  const snapshot = live.snapshot.value;
  const isOffline = isConnectionLost.value;
  const title = snapshot?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);

  const isKiosk = usePath() === '/kiosk' && snapshot !== null;
  return (
    <div class={isOffline ? 'app is-offline' : 'app'}>
      {!isKiosk && <Header snapshot={snapshot} isOffline={isOffline} />}
      {(!isKiosk || isOffline) && <Banners snapshot={snapshot} isOffline={isOffline} />}
      {tablet.value !== null && !isKiosk && <TabletPin />}
      <LiveContext.Provider value={live}>{isSetUp.value ? <Routes /> : <SetUp />}</LiveContext.Provider>
      {isPasswordRequested.value && <PasswordDialog />}
      <Toaster />
      <Announcer snapshot={snapshot} />
    </div>
  );
}

import { useEffect } from 'preact/hooks';
import { webExtensions } from '../../extensions/pages.ts';
import { Announcer } from '../components/announcer.tsx';
import { Toaster } from '../components/toast.tsx';
import { isConnectionLost } from './connection.ts';
import { ConnectionLost } from './connection-lost.tsx';
import { Header } from './frame/header.tsx';
import type { LiveState } from './live.ts';
import { LiveContext } from './live-context.ts';
import { canView, isSetUp, tablet } from './me.ts';
import { pageTitle } from './page-title.ts';
import { logInPrompt, passwordPrompt } from './prompt.ts';
import { Routes } from './routes.tsx';
import { lazyComponent, lazyPage, usePath } from './routing.ts';

const TabletPin = lazyComponent(() =>
  import('../pages/users/tablet/tablet-pin.tsx').then((module) => module.default),
);

const PasswordDialog = lazyComponent(() =>
  import('../pages/users/auth/password-dialog.tsx').then((module) => module.default),
);

const LogInAgain = lazyComponent(() =>
  import('../pages/users/auth/log-in-again.tsx').then((module) => module.default),
);

const SetUp = lazyPage(() => import('../pages/site/setup/set-up.tsx').then((module) => module.SetUp));

const fullScreenPaths = new Set(
  webExtensions.flatMap(({ pages }) => pages.filter((page) => page.isFullScreen).map(({ path }) => path)),
);

/** Root component: header, the page at the current path, toast and announcements. */
export function App({ live }: { readonly live: LiveState }) {
  const snapshot = live.snapshot.value;
  const isOffline = isConnectionLost.value;
  const title = [pageTitle.value, snapshot?.title ?? 'Tapster'].filter(Boolean).join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);

  const isFullScreen = fullScreenPaths.has(usePath()) && isSetUp.value && canView.value;
  return (
    <div class={isOffline ? 'app is-offline' : 'app'}>
      {!isFullScreen && <Header snapshot={snapshot} />}
      {tablet.value !== null && !isFullScreen && <TabletPin />}
      <LiveContext.Provider value={live}>{isSetUp.value ? <Routes /> : <SetUp />}</LiveContext.Provider>
      {passwordPrompt.isOpen.value && <PasswordDialog />}
      {logInPrompt.isOpen.value && <LogInAgain />}
      {!isFullScreen && <ConnectionLost />}
      <Toaster />
      <Announcer snapshot={snapshot} />
    </div>
  );
}

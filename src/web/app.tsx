import { useEffect } from 'preact/hooks';
import type { HouseMessage } from '../http/live/shapes.ts';
import { Announcer } from './announcer.tsx';
import { Banners } from './banners.tsx';
import { currentPath } from './current-path.ts';
import { Header } from './header.tsx';
import { lazyComponent, lazyPage } from './lazy-page.tsx';
import type { LiveHouse } from './live.ts';
import { isSetUp, mayLook, tablet } from './me.ts';
import { matchRoute } from './routes.tsx';
import { DrinkList } from './taps/drink-list.tsx';
import { TapGrid } from './taps/tap-grid.tsx';
import { Toaster } from './toast.tsx';
import { wayInAt } from './way-in/ways-in.ts';
import { say } from './words/say.ts';

const Kiosk = lazyPage(() => import('./kiosk/kiosk.tsx').then((module) => module.Kiosk));
const HeldPours = lazyPage(() => import('./taps/held-pours.tsx').then((module) => module.HeldPours));
const LogInPage = lazyPage(() => import('./way-in/log-in-page.tsx').then((module) => module.LogInPage));

const TabletPin = lazyComponent(() => import('./tablet/tablet-pin.tsx').then((module) => module.default));

const SetUp = lazyPage(() => import('./way-in/set-up.tsx').then((module) => module.SetUp));

const Ways = lazyPage(() => import('./way-in/ways.tsx').then((module) => module.Ways));

/** The page of the house: what is on tap, what was poured last, what needs a hand, and the ways to the rest. */
export function App({ live }: { readonly live: LiveHouse }) {
  const house = live.house.value;
  const away = live.away.value && isSetUp.value && mayLook.value;
  const title = house?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);

  const isKiosk = currentPath.value.path === '/kiosk' && house !== null;
  return (
    <div class={away ? 'house is-away' : 'house'}>
      {!isKiosk && <Header house={house} away={away} />}
      {(!isKiosk || away) && <Banners house={house} away={away} />}
      {tablet.value !== null && !isKiosk && <TabletPin />}
      {isKiosk ? <Kiosk house={house} live={live} /> : <PageContent live={live} house={house} away={away} />}
      <Toaster />
      <Announcer house={house} />
    </div>
  );
}

interface PageContentProps {
  readonly live: LiveHouse;
  readonly house: HouseMessage | null;
  readonly away: boolean;
}

/** What is at the place the reader is. */
function PageContent({ live, house, away }: PageContentProps) {
  const { path } = currentPath.value;
  if (!isSetUp.value) return <SetUp />;
  const wayIn = wayInAt(path);
  if (wayIn) return <Ways key={path} {...wayIn} />;
  if (path === '/log-in') return <LogInPage why={say.logInWhy} />;
  if (!mayLook.value) return <LogInPage why={say.privateHouse} />;
  if (!house) {
    return (
      <main class="bar">
        <p class="empty-bar">{away ? say.nothingYet : say.looking}</p>
      </main>
    );
  }
  if (path === '/held') return <HeldPours house={house} />;
  const match = matchRoute(path);
  if (match) return <match.Page key={path} app={house} live={live} id={match.id} />;
  if (path !== '/') {
    return (
      <main class="bar">
        <p class="empty-bar">{say.noSuchPage}</p>
      </main>
    );
  }
  return (
    <main class="bar">
      <TapGrid taps={house.taps} house={house} live={live} buttons={true} />
      <DrinkList house={house} />
    </main>
  );
}

import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { Route, Router, useRoute } from 'preact-iso/router';
import { webExtensions } from '../../extensions/pages.ts';
import type { PageProps } from '../components/page.tsx';
import { PageLoading } from '../components/page-load.ts';
import { t } from '../locales/locale.ts';
import { DrinkList } from '../pages/drinks/drink-list.tsx';
import { TapGrid } from '../pages/taps/tap-grid.tsx';
import { isConnectionLost } from './connection.ts';
import { featurePage } from './feature-page.tsx';
import { SiteBackground } from './frame/site-background.tsx';
import { LiveContext } from './live-context.ts';
import { canView, isDemo, showsFirstSteps } from './me.ts';
import { lazyComponent, lazyPage, toHref, useReplace } from './routing.ts';

const LogInPage = lazyPage(() =>
  import('../pages/users/auth/log-in-page.tsx').then((module) => module.LogInPage),
);

const DemoBar = lazyComponent(() => import('../pages/site/demo-bar.tsx').then((module) => module.DemoBar));

const FirstSteps = lazyComponent(() =>
  import('../pages/site/first-steps.tsx').then((module) => module.FirstSteps),
);

/** A page with the live state; visitors who may not see the taps get the log-in form. */
function livePage(path: string, Page: FunctionComponent<PageProps>) {
  function LivePage() {
    const { path: key, params, query } = useRoute();
    const live = useContext(LiveContext);
    if (!canView.value) return <LogInPage why={t('auth.privateSite')} />;
    const snapshot = live?.snapshot.value;
    if (!live || !snapshot)
      return <Message>{isConnectionLost.value ? t('app.nothingYet') : t('app.loading')}</Message>;
    return (
      <PageLoading key={key}>
        <Page snapshot={snapshot} live={live} id={params.id ?? ''} query={new URLSearchParams(query)} />
      </PageLoading>
    );
  }
  return { path, component: LivePage };
}

/** The same for a page that is loaded on first use. */
const page = (path: string, load: () => Promise<FunctionComponent<PageProps>>) =>
  livePage(path, lazyPage(load));

/** An address of an earlier version, which leads to the page that took its place. */
function redirect(path: string, target: string) {
  function Redirect() {
    const replace = useReplace();
    useEffect(() => replace(target), []);
    return null;
  }
  return { path, component: Redirect };
}

/** A page for users without a login; `secret` is the last part of a link that was mailed. */
function authPage(path: string, load: () => Promise<FunctionComponent<{ readonly secret: string }>>) {
  const Page = lazyPage(load);
  function AuthPage() {
    const { path: key, params } = useRoute();
    return <Page key={key} secret={params.secret ?? ''} />;
  }
  return { path, component: AuthPage };
}

const passwords = () => import('../pages/users/auth/passwords.tsx');

const routes = [
  livePage('/', TapsPage),
  livePage('/index.html', TapsPage),
  page('/menu', () => import('../pages/kegs/menu/menu-page.tsx').then((module) => module.MenuPage)),
  page('/menu/qr', () =>
    import('../pages/kegs/menu/menu-code-page.tsx').then((module) => module.MenuCodePage),
  ),
  page('/drinks', () => import('../pages/drinks/drinks-page.tsx').then((module) => module.DrinksPage)),
  ...['/drinks/:id', '/d/:id'].map((path) =>
    page(path, () => import('../pages/drinks/details/drink-page.tsx').then((module) => module.DrinkPage)),
  ),
  page('/drinkers/:id', () =>
    import('../pages/users/drinker/drinker-page.tsx').then((module) => module.DrinkerPage),
  ),
  page('/activity', () =>
    import('../pages/drinks/activity/activity-page.tsx').then((module) => module.ActivityPage),
  ),
  page('/kegs', () => import('../pages/kegs/kegs-page.tsx').then((module) => module.KegsPage)),
  page('/kegs/:id', () => import('../pages/kegs/keg-page.tsx').then((module) => module.KegPage)),
  page('/beers', () => import('../pages/kegs/beers/beers-page.tsx').then((module) => module.BeersPage)),
  page('/beers/:id', () => import('../pages/kegs/beers/beer-page.tsx').then((module) => module.BeerPage)),
  page('/breweries', () =>
    import('../pages/kegs/breweries/breweries-page.tsx').then((module) => module.BreweriesPage),
  ),
  page('/breweries/:id', () =>
    import('../pages/kegs/breweries/brewery-page.tsx').then((module) => module.BreweryPage),
  ),
  page('/taps', () => import('../pages/taps/list/taps-page.tsx').then((module) => module.TapsPage)),
  page('/taps/:id/edit', () =>
    import('../pages/taps/editor/tap-editor-page.tsx').then((module) => module.TapEditorPage),
  ),
  page('/taps/:id', () => import('../pages/taps/tap-page.tsx').then((module) => module.TapPage)),
  page('/taps/:id/calibrate', () =>
    import('../pages/taps/calibration/calibrate-page.tsx').then((module) => module.CalibratePage),
  ),
  page('/temperature-sheet', () =>
    import('../pages/temperatures/temperature-sheet-page.tsx').then((module) => module.TemperatureSheetPage),
  ),
  page('/sessions', () =>
    import('../pages/reports/statistics/sessions-page.tsx').then((module) => module.SessionsPage),
  ),
  ...['/sessions/:id', '/s/:id', '/sessions/:year/:month/:day/:id'].map((path) =>
    page(path, () =>
      import('../pages/drinks/sessions/session-page.tsx').then((module) => module.SessionPage),
    ),
  ),
  page('/statistics', () =>
    import('../pages/reports/statistics/statistics-page.tsx').then((module) => module.StatisticsPage),
  ),
  // The hardware pages were one page with this address.
  redirect('/controllers', '/hardware'),
  page('/meters', () => import('../pages/controllers/meters-page.tsx').then((module) => module.MetersPage)),
  page('/meters/:id', () => import('../pages/taps/meter/meter-page.tsx').then((module) => module.MeterPage)),
  page('/thermometers', () =>
    import('../pages/temperatures/thermometers-page.tsx').then((module) => module.ThermometersPage),
  ),
  page('/hardware', () => import('../pages/taps/pins/pins-page.tsx').then((module) => module.PinsPage)),
  page('/wiring', () => import('../pages/taps/wiring/wiring-page.tsx').then((module) => module.WiringPage)),
  page('/reports', () => import('../pages/reports/reports-page.tsx').then((module) => module.ReportsPage)),
  page('/export', () => import('../pages/reports/export-page.tsx').then((module) => module.ExportPage)),
  page('/users', () => import('../pages/users/users-page.tsx').then((module) => module.UsersPage)),
  page('/users/:id', () =>
    import('../pages/users/person/person-page.tsx').then((module) => module.PersonPage),
  ),
  page('/cards', () => import('../pages/access/cards-page.tsx').then((module) => module.CardsPage)),
  page('/site', () => import('../pages/site/site-page.tsx').then((module) => module.SitePage)),
  page('/features', () => import('../pages/site/features-page.tsx').then((module) => module.FeaturesPage)),
  page('/backups', () => import('../pages/site/backups-page.tsx').then((module) => module.BackupsPage)),
  page('/updates', () =>
    import('../pages/site/updates/updates-page.tsx').then((module) => module.UpdatesPage),
  ),
  page('/logs', () => import('../pages/site/logs-page.tsx').then((module) => module.LogsPage)),
  page('/alarms', () =>
    import('../pages/notifications/alarms/alarms-page.tsx').then((module) => module.AlarmsPage),
  ),
  page('/mail', () => import('../pages/notifications/mail-page.tsx').then((module) => module.MailPage)),
  page('/webhooks', () =>
    import('../pages/notifications/webhooks-page.tsx').then((module) => module.WebhooksPage),
  ),
  page('/audit', () => import('../pages/reports/audit/audit-page.tsx').then((module) => module.AuditPage)),
  page('/account', () => import('../pages/users/account-page.tsx').then((module) => module.AccountPage)),
  page('/held', () => import('../pages/drinks/held-pours.tsx').then((module) => module.HeldPours)),
  ...webExtensions.flatMap((extension) =>
    extension.pages.map(({ path, load }) => page(path, async () => featurePage(extension, await load()))),
  ),
  // Also on a private site: a device installs the certificate before somebody logs in.
  authPage('/https', () => import('../pages/site/https/https-page.tsx').then((module) => module.HttpsPage)),
  { path: '/log-in', component: () => <LogInPage /> },
  authPage('/accounts/register', () =>
    import('../pages/users/auth/register.tsx').then((module) => module.Register),
  ),
  authPage('/accounts/password/reset', () => passwords().then((module) => module.ForgottenPassword)),
  authPage('/accounts/password/reset/confirm/:secret', () =>
    passwords().then((module) => module.ResetPassword),
  ),
  authPage('/account/activate/:secret', () => passwords().then((module) => module.ActivateAccount)),
  authPage('/alarm-links/:secret', () =>
    import('../pages/notifications/alarms/alarm-link-page.tsx').then((module) => module.AlarmLinkPage),
  ),
  authPage('/account/confirm-email/:secret', () =>
    import('../pages/users/auth/confirm-email.tsx').then((module) => module.ConfirmEmail),
  ),
];

const NoSuchPage = page('', () =>
  import('../pages/site/no-such-page.tsx').then((module) => module.NoSuchPage),
).component;

/** The page at the current path. */
export function Routes() {
  return (
    <Router>
      {routes.map(({ path, component }) => (
        <Route key={path} path={toHref(path)} component={component} />
      ))}
      <Route default component={NoSuchPage} />
    </Router>
  );
}

function TapsPage({ snapshot, live }: PageProps) {
  const managedTapId = useSignal<string | null>(null);
  return (
    <main class="bar home">
      <SiteBackground url={snapshot.background_url} />
      {isDemo.value && <DemoBar />}
      {showsFirstSteps.value && (
        <FirstSteps snapshot={snapshot} onTapKeg={(tapId) => (managedTapId.value = tapId)} />
      )}
      <TapGrid taps={snapshot.taps} snapshot={snapshot} live={live} managedTapId={managedTapId} />
      <DrinkList snapshot={snapshot} />
    </main>
  );
}

/** A message in place of a page. */
function Message({ children }: { readonly children: string }) {
  return (
    <main class="bar">
      <p class="empty-message">{children}</p>
    </main>
  );
}

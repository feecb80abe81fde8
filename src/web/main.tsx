import { render } from 'preact';
import { LocationProvider } from 'preact-iso/router';
import { App } from './app/app.tsx';
import { isConnectionLost } from './app/connection.ts';
import { storeStates } from './app/last-state.ts';
import { subscribeLive } from './app/live.ts';
import { canView, isPublic, isSetUp, loadMe, onUserChange } from './app/me.ts';
import { reloadPage, routerScope, toHref } from './app/routing.ts';
import { registerServiceWorker } from './app/service-worker.ts';
import { guardUnsaved } from './components/form/unsaved.ts';
import { invalidate } from './components/use-resource.ts';
import { loadAllTexts, loadFirstTexts } from './locales/locale.ts';
import './styles/shared/tokens.css';
import './styles/shared/scale.css';
import './styles/shared/base.css';
import './styles/shared/layout.css';
import './styles/frame/header.css';
import './styles/frame/site-menu.css';
import './styles/taps/home.css';
import './styles/taps/tap-card.css';
import './styles/taps/tap-card-small.css';
import './styles/kegs/keg.css';
import './styles/taps/odometer.css';
import './styles/drinks/drink-list.css';
import './styles/frame/toast.css';

const page = document.getElementById('page');
if (page) {
  loadFirstTexts().then(
    () => start(page),
    () => reloadPage(),
  );
}

function start(page: HTMLElement) {
  registerServiceWorker();
  guardUnsaved();
  // At the start, and after an outage: what was shown may have changed meanwhile, and what was asked for was not answered.
  isConnectionLost.subscribe((isLost) => {
    if (isLost) return;
    void loadMe();
    invalidate();
  });
  const live = subscribeLive(toHref('/api/live'), () => isSetUp.value && canView.value);
  // The daemon decides by the login with which the stream was opened what it shows.
  onUserChange(live.reopen);
  storeStates(live.snapshot, isPublic);
  render(
    <LocationProvider scope={routerScope}>
      <App live={live} />
    </LocationProvider>,
    page,
  );
  // Texts by names that the daemon sends, such as those of refusals. Where they fail to load, its English sentence is shown.
  loadAllTexts().catch(() => {});
}

import { render } from 'preact';
import { LocationProvider } from 'preact-iso/router';
import { App } from './app/app.tsx';
import { subscribeLive } from './app/live.ts';
import { canView, isSetUp, loadMe } from './app/me.ts';
import { reloadPage, routerScope, toHref } from './app/routing.ts';
import { loadCatalogue } from './locales/locale.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/frame/header.css';
import './styles/frame/site-menu.css';
import './styles/home.css';
import './styles/tap-card.css';
import './styles/tap-card-small.css';
import './styles/keg.css';
import './styles/odometer.css';
import './styles/drink-list.css';
import './styles/frame/toast.css';

const page = document.getElementById('page');
if (page) {
  loadCatalogue().then(() => start(page), reloadPage);
}

function start(page: HTMLElement) {
  void loadMe();
  const live = subscribeLive(toHref('/api/live'), () => isSetUp.value && canView.value);
  render(
    <LocationProvider scope={routerScope}>
      <App live={live} />
    </LocationProvider>,
    page,
  );
}

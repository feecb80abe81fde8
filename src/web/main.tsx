import { render } from 'preact';
import { App } from './app/app.tsx';
import { interceptLinks, toHref } from './app/current-path.ts';
import { subscribeLive } from './app/live.ts';
import { canView, isSetUp, loadMe } from './app/me.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/site-menu.css';
import './styles/notices.css';
import './styles/tap-card.css';
import './styles/keg.css';
import './styles/odometer.css';
import './styles/drink-list.css';
import './styles/toast.css';

const page = document.getElementById('page');
if (page) {
  interceptLinks();
  void loadMe();
  const live = subscribeLive(toHref('/api/live'), () => isSetUp.value && canView.value);
  render(<App live={live} />, page);
}

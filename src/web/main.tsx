import { render } from 'preact';
import { App } from './app.tsx';
import { followHouse } from './live.ts';
import { meet } from './me.ts';
import { address, followLinks } from './place.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/notices.css';
import './styles/tap-card.css';
import './styles/keg.css';
import './styles/odometer.css';
import './styles/drink-list.css';
import './styles/toast.css';

const page = document.getElementById('page');
if (page) {
  followLinks();
  void meet();
  render(<App live={followHouse(address('/api/live'))} />, page);
}

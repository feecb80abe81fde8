import { render } from 'preact';
import { App } from './app.tsx';
import { followHouse } from './live.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/notices.css';
import './styles/tap-card.css';
import './styles/keg.css';
import './styles/odometer.css';
import './styles/drink-list.css';

const place = document.getElementById('page');
if (place) render(<App live={followHouse('api/live')} />, place);

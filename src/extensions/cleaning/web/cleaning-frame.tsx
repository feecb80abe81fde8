import './cleaning.css';

export { TabbedPage as CleaningFrame } from '../../../web/app/frame/tabbed-page.tsx';

import type { WebExtension } from '../../../web/app/extension.ts';
import { t } from '../../../web/locales/locale.ts';

export const cleaningPages: WebExtension = {
  name: 'cleaning',
  labelKey: 'cleaning.title',
  aboutKey: 'cleaning.about',
  alarmKinds: ['cleaning_due', 'cleaning_unfinished'],
  pages: [
    {
      path: '/taps/:id/cleaning',
      load: async () => (await import('./tap-cleaning-page.tsx')).TapCleaningPage,
    },
    { path: '/cleaning', load: async () => (await import('./cleaning-page.tsx')).CleaningPage },
    { path: '/cleaning/log', load: async () => (await import('./cleaning-log-page.tsx')).CleaningLogPage },
  ],
  menu: [
    {
      path: '/cleaning',
      labelKey: 'cleaning.menu',
      audience: 'staff',
      group: 'bar',
      after: '/held',
      icon: 'tap',
      tabsKey: 'cleaning.pages',
      tabs: [
        { path: '/cleaning', labelKey: 'cleaning.title', audience: 'staff' },
        { path: '/cleaning/log', labelKey: 'cleaning.log', audience: 'staff' },
        { path: '/temperature-sheet', labelKey: 'temperatures.sheet', audience: 'staff' },
      ],
    },
  ],
  slots: {
    exportKinds: () => ['cleanings'],
    tapLink: ({ id, cleaning }) => ({
      path: `/taps/${id}/cleaning`,
      text: cleaning === null ? t('cleaning.start') : t('cleaning.continue'),
    }),
    notice: ({ cleaning_questions: count }) =>
      count === 0
        ? null
        : { path: '/cleaning', title: t('cleaning.wasIt'), text: t('cleaning.noticeMore', { count }) },
  },
};

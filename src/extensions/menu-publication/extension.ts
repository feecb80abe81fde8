import { renewed } from '../../store/shared/clock-times.ts';
import { defineExtension } from '../extension.ts';
import { menuPublicationSchema } from './store/schema.ts';
import { menuPublicationTable } from './store/table.ts';

/** The menu as static files on the bar's own web space, brought up to date after each change. */
export const menuPublication = defineExtension({
  name: 'menu-publication',
  isOnByDefault: false,
  schema: menuPublicationSchema,
  clockTimes: { menu_publication: { published_time_ms: renewed } },
  personData: { others: { 'menu_publication.settings': 'settings of the bar' } },
  tables: menuPublicationTable,
  services: async () => (await import('./engine/menu-publication.ts')).createMenuPublication,
  hooks: ({ guestUrl }) => ({ menuAddress: guestUrl }),
  addresses: ['/admin/menu-publication'],
  tags: { 'menu-publication': 'The menu on the bar’s own web space.' },
  routes: async () => (await import('./http/routes.ts')).menuPublicationRoutes,
  start: async () => (await import('./outbox/menu-publisher.ts')).startMenuPublisher,
  pages: ['/menu-publication'],
  healthPart: 'menu',
  texts: ['menuPublication.', 'menu.asOf', 'daemon.problems.menu', 'daemon.problemTexts.web_space_'],
});

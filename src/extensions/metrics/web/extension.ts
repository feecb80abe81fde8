import type { WebExtension } from '../../../web/app/extension.ts';

/** Programs read the metrics; there is no page for them. */
export const metricsPages: WebExtension = {
  name: 'metrics',
  labelKey: 'metrics.feature',
  aboutKey: 'metrics.why',
  pages: [],
  menu: [],
};

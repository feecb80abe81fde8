import type { WebExtension } from '../../../web/app/extension.ts';

/** A scale is shown where its tap is; it has no page of its own. */
export const scalePages: WebExtension = {
  name: 'scales',
  labelKey: 'scales.feature',
  aboutKey: 'scales.why',
  alarmKinds: ['scale_disagrees'],
  pages: [],
  menu: [],
  slots: {
    tapDetails: async () => (await import('./tap-scale.tsx')).TapScale,
    tapForm: async () => (await import('./scale-editor.tsx')).ScaleEditor,
  },
};

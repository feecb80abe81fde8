import { expect } from 'vitest';
import { readMenu } from '../../../src/extensions/menu-publication/outbox/menu-content.ts';
import { renderMenuPage } from '../../../src/extensions/menu-publication/outbox/menu-html.ts';
import { daemonTexts } from '../../../src/system/catalogues.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';

export const cases: ExtensionCases = {
  name: 'menu-publication',
  evidence: { 'the publication wrote all files': ['menuPublication.done'] },
  foreignSecrets: ['changeMenuPublication.password'],
  checkTapState({ engine, now }, { state, hasKeg, beer, price }) {
    const isClosed = state === 'cleaning' || state === 'blocked';
    const offers = hasKeg && !isClosed;
    const menu = readMenu(engine);
    const html = renderMenuPage(menu, {
      texts: daemonTexts('en'),
      site: { volumeUnits: 'metric', locale: 'en', timeZone: 'UTC' },
      languages: [['en', 'index.html']],
      changedMs: now().wallMs,
    });
    expect(html.includes(beer)).toBe(offers);
    expect(html.includes(price)).toBe(offers);
    expect(html.includes('do not drink')).toBe(isClosed && hasKeg);
    expect(menu.taps[0]?.closed ?? null).toBe(isClosed && hasKeg ? state : null);
  },
  background: { publishNow: async () => null, remove: async () => null, problem: () => null },
};

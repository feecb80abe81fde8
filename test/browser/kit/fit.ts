import type { Page } from 'playwright-core';

export interface Screen {
  readonly width: number;
  readonly height: number;
}

/** A phone, a tablet in both directions, a laptop and a large screen. */
export const screens: readonly Screen[] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

/** Names as long as a bar might give them. */
export const longNames = {
  bar: 'Zum Goldenen Hirschen an der alten Donaubrücke zu Regensburg',
  tap: 'Tap thirteen beside the large window to the garden',
  beer: 'Donaudampfschifffahrtsgesellschaftskapitänsfestbock',
  brewery: 'Bayerische Staatsbrauerei Weihenstephan seit dem Jahre 1040',
} as const;

/** Scripts as text: the tests' types know no browser globals. */
const findLayoutFaults = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (node) => {
    for (let part = node.parentElement; part; part = part.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(part).overflowX)) return true;
    }
    return false;
  };
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((node) => {
    const { left, right, width: own } = node.getBoundingClientRect();
    return own > 1 && node.checkVisibility() && (left < -1 || right > width + 1) && !scrolls(node);
  });
  const wide = document.documentElement.scrollWidth;
  return [
    ...(wide > innerWidth ? ['scrolls to ' + wide + ' px'] : []),
    ...controls.map((node) => 'outside: ' + node.outerHTML.slice(0, 120)),
  ];
})()`;

/** What is wider than the screen: the page itself, or controls that cannot be reached. */
export const layoutFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(findLayoutFaults);

/** Height of the whole page, CSS pixels. */
export const pageHeight = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollHeight');

/** Number of drinks whose rows are completely in sight. */
export const drinksInSight = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const list = document.querySelector('.drink-rows').getBoundingClientRect();
    return [...document.querySelectorAll('.drink')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= list.top - 1 && bottom <= Math.min(list.bottom, innerHeight) + 1;
    }).length;
  })()`);

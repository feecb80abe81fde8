import type { Page } from 'playwright-core';

/** Least width and height of what is touched, CSS pixels. */
const touchPx = 44;

/** A script as text: the tests' types know no browser globals. */
const findCutTexts = `(() => {
  const slack = 2;
  const found = new Set();
  const isClip = (style) => style.overflowX !== 'visible' && !/auto|scroll/.test(style.overflowX + style.overflowY);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const owner = node.parentElement;
    // A name that is cut on purpose has its whole text as title, or on the page of its drink; figures roll in the odometer.
    if (!text || !owner.checkVisibility() || owner.closest('.visually-hidden, .odometer, [title], .home .drink, option, script, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0) continue;
    const hint = (why) => found.add(why + ': ' + owner.tagName.toLowerCase() + '.' + owner.className + ' ' + text.slice(0, 60));
    let block = owner;
    while (getComputedStyle(block).display.startsWith('inline') && !/flex|grid|block/.test(getComputedStyle(block).display)) block = block.parentElement;
    const box = block.getBoundingClientRect();
    // For screen readers only.
    if (box.width <= 1) continue;
    if (rect.left < box.left - slack || rect.right > box.right + slack) hint('wider than its box');
    for (let part = owner; part && part !== document.body; part = part.parentElement) {
      const style = getComputedStyle(part);
      if (style.clipPath !== 'none') break;
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
      if (!isClip(style)) continue;
      const clip = part.getBoundingClientRect();
      const lineSlack = slack + 0.3 * Number.parseFloat(style.fontSize);
      if (rect.right > clip.right + slack || rect.left < clip.left - slack || rect.bottom > clip.bottom + lineSlack) hint('cut');
    }
  }
  return [...found];
})()`;

/**
 * The area that reacts to a touch is found by hit tests, because a link may cover its row by a pseudo-element. A link
 * inside a sentence may be lower.
 */
const findSmallTargets = `((touchPx) => {
  const small = [];
  const isInSentence = (link) => {
    if (link.tagName !== 'A' || !getComputedStyle(link).display.startsWith('inline')) return false;
    let block = link.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/[\\p{L}\\d]/u.test(node.textContent) && !node.parentElement.closest('a, button, .visually-hidden')) return true;
    return false;
  };
  for (const control of document.querySelectorAll('a[href], button, summary, [role="button"], [role="tab"]')) {
    const box = control.getBoundingClientRect();
    if (box.width <= 1 || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isInSentence(control)) continue;
    const minWidth = control.tagName === 'A' ? 0 : touchPx;
    if (box.height >= touchPx - 0.5 && box.width >= minWidth - 0.5) continue;
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hits = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit !== null && (control.contains(hit) || (hit.tagName === 'LABEL' && hit.control === control));
    };
    if (!hits(0, 0)) continue;
    const reach = (dx, dy) => {
      let steps = 0;
      while (steps < touchPx && hits(dx * (steps + 1), dy * (steps + 1))) steps += 1;
      return steps;
    };
    const across = Math.max(reach(-1, 0) + reach(1, 0) + 1, width);
    const down = Math.max(reach(0, -1) + reach(0, 1) + 1, height);
    if (across < minWidth - 0.5 || down < touchPx - 0.5)
      small.push(Math.round(across) + '×' + Math.round(down) + ' px: ' + control.tagName.toLowerCase() + '.' + control.className + ' ' + control.textContent.trim().slice(0, 50));
  }
  scrollTo(0, 0);
  return [...new Set(small)];
})(${touchPx})`;

/** Texts that are cut or stand out of their boxes. */
export const cutTexts = (page: Page): Promise<readonly string[]> => page.evaluate<string[]>(findCutTexts);

/** Buttons, summaries and links outside sentences that are smaller than a finger. */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(findSmallTargets);

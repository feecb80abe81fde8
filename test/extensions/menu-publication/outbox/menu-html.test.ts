import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MenuContent } from '../../../../src/extensions/menu-publication/outbox/menu-content.ts';
import { renderMenuPage } from '../../../../src/extensions/menu-publication/outbox/menu-html.ts';
import { daemonTexts } from '../../../../src/system/catalogues.ts';

const pils: MenuContent['taps'][number] = {
  number: 1,
  name: 'Left',
  closed: null,
  beer: {
    name: 'Pils',
    producer: 'Brewery',
    origin: 'Jever',
    style: 'Pilsner',
    abv: 4.9,
    ibu: 44,
    color: '#d8a53c',
    description: 'Dry and bitter.',
    allergens: 'barley',
    picture: 'abc-1024.jpg',
  },
  left: 'nearlyGone',
  prices: [{ volume_ml: 300, name: 'Small', names: { de: 'Klein' }, price_minor: 350, currency: 'EUR' }],
  next: { name: 'Helles', producer: 'Other brewery' },
};
const menu: MenuContent = { title: 'The Bar', logo: null, allergen_note: 'Ask us.', taps: [pils] };
const render = (content: MenuContent, language = 'en') =>
  renderMenuPage(content, {
    texts: daemonTexts(language),
    site: { volumeUnits: 'metric', locale: 'de-DE', timeZone: 'Europe/Berlin' },
    languages: [
      ['en', 'index.html'],
      ['de', 'index.de.html'],
    ],
    changedMs: Date.parse('2026-05-01T18:00:00Z'),
  });

test('the page tells beer, brewery, facts, allergens, what is left, prices, what comes next and the time', () => {
  const html = render(menu);
  for (const text of [
    '<h2>Pils</h2>',
    'Brewery, Jever',
    'Pilsner · 4.9',
    '44 IBU',
    'Dry and bitter.',
    'Allergens: barley',
    'Nearly empty',
    'Small · 0.3\u00a0L <b>€3.50</b>',
    'Next: Helles, Other brewery',
    'As of May 1, 2026, 8:00',
    'Ask us.',
    'src="abc-1024.jpg"',
  ])
    expect(html).toContain(text);
});

test('the page is in the language of its texts and leads to the others', () => {
  const html = render(menu, 'de');
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('Klein · 0,3\u00a0L <b>3,50\u00a0€</b>');
  expect(html).toContain('<a href="index.html" hreflang="en" lang="en">English</a>');
  expect(html).toContain('<a href="index.de.html" hreflang="de" lang="de">Deutsch</a>');
});

test('a bar with nothing on tap says so', () => {
  expect(render({ ...menu, taps: [] })).toContain('Nothing is on tap.');
});

test('no text of the bar becomes part of the page’s HTML', () => {
  const tagsOf = (html: string) => html.match(/<[^>]*>/g)?.length;
  const plain = tagsOf(render(menu));
  const text = fc
    .string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '/', ' ') })
    .map((one) => `x${one}`);
  fc.assert(
    fc.property(text, (hostile) => {
      const content: MenuContent = {
        ...menu,
        title: hostile,
        allergen_note: hostile,
        taps: [
          {
            ...pils,
            name: hostile,
            beer: {
              ...pils.beer!,
              name: hostile,
              producer: hostile,
              origin: hostile,
              style: hostile,
              description: hostile,
              allergens: hostile,
            },
            prices: [{ ...pils.prices[0]!, name: hostile, names: {} }],
            next: { name: hostile, producer: hostile },
          },
        ],
      };
      // A text with a raw bracket or quote would add or cut a tag.
      expect(tagsOf(render(content))).toBe(plain);
    }),
  );
});

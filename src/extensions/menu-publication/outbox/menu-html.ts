import { formatMoney, fromMinor } from '../../../core/kegs/money.ts';
import { formatQuantity, toServing } from '../../../core/kegs/volume-format.ts';
import { regionOf } from '../../../core/kegs/volume-units.ts';
import type { Site } from '../../../core/records.ts';
import { numberBeforeName } from '../../../core/taps/tap-names.ts';
import { escapeHtml } from '../../../outbox/escape-html.ts';
import type { DaemonTexts } from '../../../system/catalogues.ts';
import type { MenuBeer, MenuContent, MenuPrice, MenuTap } from './menu-content.ts';
import { menuCss } from './menu-css.ts';

/** What the page depends on besides the menu. */
interface MenuStyle {
  readonly texts: DaemonTexts;
  readonly site: Pick<Site, 'volumeUnits' | 'locale' | 'timeZone'>;
  /** The pages in other languages: language tag and file name. */
  readonly languages: readonly (readonly [language: string, file: string])[];
  /** Of the last change, Unix milliseconds. */
  readonly changedMs: number;
}

/** Only the styles of the page and pictures beside it are loaded: a description cannot contain a script or a form. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** The menu as one HTML page, which needs nothing but the pictures beside it. */
export function renderMenuPage(menu: MenuContent, style: MenuStyle): string {
  const { texts, languages } = style;
  const { t, language } = texts;
  const title = escapeHtml(menu.title);
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}: ${escapeHtml(t('menu.title'))}</title>
${languages.map(([tag, file]) => `<link rel="alternate" hreflang="${tag}" href="${file}">`).join('\n')}
<style>${menuCss}</style>
</head>
<body>
<header>
${menu.logo === null ? '' : `<img class="logo" src="${menu.logo}" alt="">`}
<h1>${title}</h1>
<p class="soft">${escapeHtml(t('menu.asOf', { time: formatTime(style) }))}</p>
</header>
<main>
${menu.taps.length === 0 ? `<p>${escapeHtml(t('menu.nothingOnTap'))}</p>` : `<ul class="menu">${menu.taps.map((tap) => renderTap(tap, style)).join('')}</ul>`}
${menu.allergen_note === '' ? '' : `<p class="note">${escapeHtml(menu.allergen_note)}</p>`}
</main>
<footer><nav>${languages.map(([tag, file]) => `<a href="${file}" hreflang="${tag}" lang="${tag}">${escapeHtml(languageName(tag))}</a>`).join(' ')}</nav></footer>
</body>
</html>
`;
}

function renderTap({ number, name, closed, beer, left, prices, next }: MenuTap, style: MenuStyle): string {
  const { t } = style.texts;
  const tapName = t('menu.at', { tap: `${numberBeforeName({ name, number })}${name}` });
  return `<li class="card">
${beer === null ? '' : renderPicture(beer, style)}
<div>
<h2>${escapeHtml(beer?.name ?? name)}</h2>
${closed === null ? '' : `<p class="closed">${escapeHtml(t(`menu.closed.${closed}`))}</p>`}
${beer === null ? '' : renderBeer(beer, style)}
${left === null ? '' : `<p class="left" data-low="${left === 'nearlyGone' || left === 'gone'}">${escapeHtml(t(`menu.left.${left}`))}</p>`}
${next === null ? '' : `<p class="next">${escapeHtml(t('menu.next', { beer: next.name, producer: next.producer }))}</p>`}
<p class="soft">${escapeHtml(tapName)}</p>
</div>
${prices.length === 0 ? '' : `<ul class="prices">${prices.map((price) => renderPrice(price, style)).join('')}</ul>`}
</li>
`;
}

function renderPicture({ picture, color, name }: MenuBeer, { texts: { t } }: MenuStyle): string {
  return picture === null
    ? `<span class="glass" style="--beer: ${escapeHtml(color)}"></span>`
    : `<img class="picture" src="${picture}" alt="${escapeHtml(t('menu.pictureOf', { beer: name }))}">`;
}

function renderBeer(beer: MenuBeer, { texts: { t, language } }: MenuStyle): string {
  const { producer, origin, style, abv, ibu, description, allergens } = beer;
  const facts = [
    style ?? '',
    abv === null ? '' : t('units.strength', { abv: tenths(abv, language) }),
    ibu === null ? '' : t('menu.ibu', { ibu: String(Math.round(ibu)) }),
  ].filter((fact) => fact !== '');
  return [
    `<p class="soft">${escapeHtml(origin === '' ? producer : t('menu.madeBy', { producer, origin }))}</p>`,
    facts.length === 0 ? '' : `<p class="facts">${facts.map(escapeHtml).join(' · ')}</p>`,
    description === '' ? '' : `<p class="description">${escapeHtml(description)}</p>`,
    allergens === '' ? '' : `<p class="soft">${escapeHtml(t('menu.allergens', { allergens }))}</p>`,
  ].join('');
}

function renderPrice(price: MenuPrice, { texts, site }: MenuStyle): string {
  const { t, language } = texts;
  const volume = formatQuantity(
    toServing(price.volume_ml, {
      units: site.volumeUnits,
      locale: language,
      region: regionOf(site.locale),
      words: { pint: t('units.partOfPint'), pints: t('units.pint') },
    }),
    '\u00a0',
  );
  const name = price.names[language] ?? price.name;
  const sum = formatMoney(fromMinor(price.price_minor, price.currency), price.currency, language);
  return `<li>${escapeHtml(name === '' ? volume : `${name} · ${volume}`)} <b>${escapeHtml(sum)}</b></li>`;
}

const formatTime = ({ texts: { language }, site: { timeZone }, changedMs }: MenuStyle): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(changedMs);

const tenths = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** The name of a language in itself. */
function languageName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Amber, for a beer whose colour nobody wrote down. */
const amber = '#c35900';

/** A colour that is surely a colour: `#rgb` or `#rrggbb`, else amber. */
export function beerColor(hex: string | undefined): string {
  return hex !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(hex) ? hex : amber;
}

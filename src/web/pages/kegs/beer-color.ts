/** Amber, for a beer without a colour. */
const amber = '#c35900';

/** Returns a valid CSS colour: `#rgb` or `#rrggbb`, else amber. */
export function beerColor(hex: string | undefined): string {
  return hex !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(hex) ? hex : amber;
}

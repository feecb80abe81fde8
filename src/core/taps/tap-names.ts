/** Name of the tap that the set-up creates where the settings file has none. */
export const defaultTapName = 'Main Tap';

/** The number of a tap before its name; empty when the name has the same number, such as “Tap 3”. */
export function numberBeforeName({
  name,
  number,
}: {
  readonly name: string;
  readonly number: number;
}): string {
  const inName = name.match(/\d+/g) ?? [];
  return inName.some((digits) => Number(digits) === number) ? '' : `${number} · `;
}

/** Addresses whose tags are kept; a page reads far fewer. */
const maxTags = 200;

const tags = new Map<string, string>();
let waiting: { readonly address: string; resolve(): void }[] = [];

/** Keeps the entity tag of an answer: a change of the record names it in `If-Match`. */
export function keepTag(address: string, tag: string | null) {
  tags.delete(address);
  if (tag !== null) tags.set(address, tag);
  const [oldest] = tags.keys();
  if (tags.size > maxTags && oldest !== undefined) tags.delete(oldest);
  for (const one of waiting) if (one.address === address) one.resolve();
  waiting = waiting.filter((one) => one.address !== address);
}

/** The entity tag of what was read last from an address; undefined if nothing was. */
export const findTag = (address: string): string | undefined => tags.get(address);

/** Resolves when the address has been read again, at the latest after `timeoutMs`. */
export const nextRead = (address: string, timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const one = { address, resolve };
    waiting.push(one);
    setTimeout(() => {
      waiting = waiting.filter((other) => other !== one);
      resolve();
    }, timeoutMs);
  });

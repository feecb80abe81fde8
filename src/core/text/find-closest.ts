/** Returns the known word closest to a mistyped one; null when none is close. Ignores case, `-` and `_`. */
export function findClosest(typed: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const distance = editDistance(normalize(typed), normalize(word));
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  // At most a third of the letters may differ; beyond that the suggestion would confuse.
  return best !== null && bestDistance <= Math.max(1, Math.floor(normalize(best).length / 3)) ? best : null;
}

function normalize(word: string): string {
  return word.slice(0, 64).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Returns the number of insertions, deletions, substitutions and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

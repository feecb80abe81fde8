/**
 * The median, which is robust against a single disturbed run.
 * @param {readonly number[]} values at least one
 */
export function median(values) {
  const inOrder = values.toSorted((a, b) => a - b);
  const middle = inOrder.length >> 1;
  return inOrder.length % 2 === 1 ? inOrder[middle] : (inOrder[middle - 1] + inOrder[middle]) / 2;
}

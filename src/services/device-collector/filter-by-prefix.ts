/**
 * Returns the strings of a list that start with a prefix, in order; ignores other entries.
 * @throws Error if the prefix is not a string or the list not an array (EVENT-27).
 */
export function filterByPrefix(prefix: string, list: readonly unknown[]): string[] {
  if (typeof prefix !== 'string') throw new Error('Prefix must be a string.')
  if (!Array.isArray(list)) throw new Error('List must be an array.')
  return list.filter((entry): entry is string => typeof entry === 'string' && entry.startsWith(prefix))
}

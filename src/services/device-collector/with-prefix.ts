/**
 * The entries of a list that begin with a prefix, in their order; entries that are no strings never do.
 * @throws Error where the prefix is no string or the list no array (EVENT-27).
 */
export function withPrefix(prefix: string, list: readonly unknown[]): string[] {
  if (typeof prefix !== 'string') throw new Error('Prefix must be a string.')
  if (!Array.isArray(list)) throw new Error('List must be an array.')
  return list.filter((entry): entry is string => typeof entry === 'string' && entry.startsWith(prefix))
}

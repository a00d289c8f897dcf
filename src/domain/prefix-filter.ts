/**
 * The entries of `list` that begin with `prefix`, upper and lower case told apart.
 * @throws Error when `prefix` is no string or `list` no array (OPEN-70).
 */
export function filterByPrefix(prefix: string, list: readonly string[]): string[] {
  if (typeof prefix !== 'string') throw new Error('Prefix must be a string.')
  if (!Array.isArray(list)) throw new Error('List must be an array.')
  return list.filter((entry: unknown): entry is string => typeof entry === 'string' && entry.startsWith(prefix))
}

const escapeForRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the query without the words `said`, and without the spaces and commas that remain. */
export function removeWords(query: string, said: string): string {
  const words = said.split(/\s+/).filter(Boolean).map(escapeForRegExp)
  if (words.length === 0) return query
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[\\s\\p{P}]+')}(?![\\p{L}\\p{N}])`, 'iu')
  return query
    .replace(pattern, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.?!])/g, '$1')
    .replace(/^[\s,.;:–-]+|[\s,;:–-]+$/g, '')
}

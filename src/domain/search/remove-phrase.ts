const escapeForRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the query without a phrase of it, and without the spaces and commas that remain. */
export function removePhrase(query: string, phrase: string): string {
  const words = phrase.split(/\s+/).filter(Boolean).map(escapeForRegExp)
  if (words.length === 0) return query
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[\\s\\p{P}]+')}(?![\\p{L}\\p{N}])`, 'iu')
  return query
    .replace(pattern, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.?!])/g, '$1')
    .replace(/^[\s,.;:–-]+|[\s,;:–-]+$/g, '')
}

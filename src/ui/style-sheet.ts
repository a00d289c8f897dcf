const requested = new Map<string, Promise<void>>()

/**
 * Adds the style sheet of a component that opens later. Resolves once the style sheet applies; rejects on failure, and
 * the next call retries.
 */
export function addStyleSheet(href: string): Promise<void> {
  const existing = requested.get(href)
  if (existing) return existing
  const answer = new Promise<void>((resolve, reject) => {
    const onload = () => resolve()
    const onerror = () => (link.remove(), requested.delete(href), reject(new Error(`${href} did not come.`)))
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })
    document.head.append(link)
  })
  requested.set(href, answer)
  return answer
}

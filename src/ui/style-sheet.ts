const loadingByHref = new Map<string, Promise<void>>()

/**
 * Adds the style sheet of a component that opens later. Resolves once the styles apply. Rejects on failure; the next
 * call retries.
 */
export function addStyleSheet(href: string): Promise<void> {
  const existing = loadingByHref.get(href)
  if (existing) return existing
  const loaded = new Promise<void>((resolve, reject) => {
    const onload = () => resolve()
    const onerror = () => (link.remove(), loadingByHref.delete(href), reject(new Error(`${href} failed to load.`)))
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })
    document.head.append(link)
  })
  loadingByHref.set(href, loaded)
  return loaded
}

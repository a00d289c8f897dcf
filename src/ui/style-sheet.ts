const asked = new Map<string, Promise<void>>()

/** Adds a style sheet that only a part opened later needs; resolves once it applies. One that failed rejects, and is asked for anew. */
export function addStyleSheet(href: string): Promise<void> {
  const known = asked.get(href)
  if (known) return known
  const answer = new Promise<void>((resolve, reject) => {
    const onload = () => resolve()
    const onerror = () => (link.remove(), asked.delete(href), reject(new Error(`${href} did not come.`)))
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })
    document.head.append(link)
  })
  asked.set(href, answer)
  return answer
}

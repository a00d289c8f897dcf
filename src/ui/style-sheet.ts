const asked = new Map<string, Promise<boolean>>()

/** Adds a style sheet that only a part opened later needs; answers, once that is known, whether it applies. One that failed is asked for anew. */
export function addStyleSheet(href: string): Promise<boolean> {
  const known = asked.get(href)
  if (known) return known
  const answer = new Promise<boolean>((resolve) => {
    const onload = () => resolve(true)
    const onerror = () => (link.remove(), asked.delete(href), resolve(false))
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })
    document.head.append(link)
  })
  asked.set(href, answer)
  return answer
}

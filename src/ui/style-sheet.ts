/** Adds a style sheet that only a part opened later needs; settles when it applies, or cannot. */
export function addStyleSheet(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => resolve()
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done })
    document.head.append(link)
  })
}

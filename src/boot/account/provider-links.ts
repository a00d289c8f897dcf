import { readConfig } from '../page/read-config.ts'

/**
 * Sets the URLs of links to provider pages (`data-at-provider`: path) once the provider's origin is known. The style
 * sheet hides these links until they have an `href`.
 */
addEventListener('porchlight:session', () => {
  void readConfig().then(({ providerOrigin }) => {
    if (!providerOrigin) return
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-at-provider]'))
      link.href = providerOrigin + (link.dataset['atProvider'] ?? '')
  })
})

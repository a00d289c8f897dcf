import { readConfig } from '../page/read-config.ts'

/**
 * Links to provider pages (`data-at-provider`: path) become visible, without moving others, once the provider's origin
 * is known.
 */
addEventListener('porchlight:session', () => {
  void readConfig().then(({ providerOrigin }) => {
    if (!providerOrigin) return
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-at-provider]'))
      link.href = providerOrigin + (link.dataset['atProvider'] ?? '')
  })
})

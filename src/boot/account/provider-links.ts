import { readConfig } from '../page/read-config.ts'

/** Links to pages of the provider (`data-at-provider`: the path there) are seen, in their place, once it is known where that is. */
addEventListener('porchlight:session', () => {
  void readConfig().then(({ providerOrigin }) => {
    if (!providerOrigin) return
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-at-provider]'))
      link.href = providerOrigin + (link.dataset['atProvider'] ?? '')
  })
})

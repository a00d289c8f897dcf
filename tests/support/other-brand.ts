/** Replaces the brand, as if another company had edited `contract/brand.ts`. Use with `node --import`. */
import { registerHooks } from 'node:module'

const OTHER_BRAND_REPLACEMENTS = [
  ["BRAND_NAME = 'Porchlight'", "BRAND_NAME = 'Nightlamp'"],
  [
    "{ name: 'Camera AI', segment: 'camera-ai', title: 'Camera AI Plan' }",
    "{ name: 'Watch', segment: 'watch', title: 'The Watch Plan' }",
  ],
  ['IS_PRO_ON_SALE = true', 'IS_PRO_ON_SALE = false'],
  [
    'HOME_MONITORING: ServiceDescription | null = null',
    "HOME_MONITORING: ServiceDescription | null = { does: 'Our guards answer within a minute.', needs: 'It needs one camera at each door.' }",
  ],
  ["primary: '#6a3fd0'", "primary: '#0a5fd0'"],
] as const

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/contract/brand.ts')) return loaded
    let source = String(loaded.source)
    for (const [ours, theirs] of OTHER_BRAND_REPLACEMENTS) {
      if (!source.includes(ours)) throw new Error(`The brand file no longer contains ${ours}.`)
      source = source.replace(ours, theirs)
    }
    return { ...loaded, source }
  },
})

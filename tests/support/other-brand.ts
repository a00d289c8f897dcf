/** Use with `node --import`: replaces the brand as if another company had written `contract/brand.ts`. */
import { registerHooks } from 'node:module'

const CHANGES = [
  ["BRAND_NAME = 'Porchlight'", "BRAND_NAME = 'Nightlamp'"],
  [
    "{ name: 'Camera AI', segment: 'camera-ai', title: 'Camera AI Plan' }",
    "{ name: 'Watch', segment: 'watch', title: 'The Watch Plan' }",
  ],
  ['PRO_ON_SALE = true', 'PRO_ON_SALE = false'],
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
    for (const [ours, theirs] of CHANGES) {
      if (!source.includes(ours)) throw new Error(`The brand file no longer says ${ours}.`)
      source = source.replace(ours, theirs)
    }
    return { ...loaded, source }
  },
})

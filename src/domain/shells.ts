/** What the edge does with an address that is no file: serve one of the prerendered pages, or go to another address. */
export type PageAnswer = { readonly serve: string } | { readonly go: string }

/** The first rule whose pattern is in the path decides (ROUTE-23). */
const SERVED: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/\/purchase\/hms/, '/purchase/hms'],
  [/\/events/, '/events'],
  [/\/live/, '/live'],
  [/\/redeem/, '/account/redeem/choose'],
  [/\/payment/, '/account/payment'],
]
/** Addresses that mean another page: a plan that there is not is one to choose (OPEN-32). */
const MOVED: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/^\/account\/products(\/|$)/, '/account/products/choose'],
  [/^\/account$/, '/account/services'],
]

/** The page that stands behind `path`; null for the generic one. */
export function pageBehind(path: string): PageAnswer | null {
  const serve = SERVED.find(([pattern]) => pattern.test(path))?.[1]
  if (serve) return { serve }
  const go = MOVED.find(([pattern]) => pattern.test(path))?.[1]
  return go ? { go } : null
}

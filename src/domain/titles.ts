/** Page titles (OPEN-31): the first rule that matches gives the title, the others are generic. */
const RULES: readonly (readonly [pattern: RegExp, title: string])[] = [
  [/^\/live$/, 'Web Live View'],
  [/\/events/, 'Web Events'],
  [/\/redeem/, 'Coupon Redeem'],
  [/^\/account\/products\/camera-ai$/, 'Camera AI Plan'],
  [/^\/account\/products\/unlimited$/, 'Unlimited Cameras Plan'],
  [/^\/account\/products\/home-monitoring$/, 'Home Monitoring Service'],
]

export const GENERIC_TITLE = 'Web Portal'

/** Title of the page at `path` (spec §2). */
export function titleOf(path: string): string {
  return RULES.find(([pattern]) => pattern.test(path))?.[1] ?? GENERIC_TITLE
}
